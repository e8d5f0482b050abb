// Starts the page, or shows why that is impossible.

const [absent, forbidden] = /** @type {HTMLElement[]} */ (["absent", "forbidden"].map(id => document.getElementById(id)));
// A host's policy may forbid what the page needs. app.js shows a violation after the start.
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  absent.remove();
  forbidden.hidden = false;
  forbidden.classList.add("failed");
  forbidden.append(` (${effectiveDirective}: ${blockedURI.slice(0, 60)})`);
});
import("./app.js").catch(error => {
  absent.classList.add("failed");
  absent.append(` (${error.message})`);
});
