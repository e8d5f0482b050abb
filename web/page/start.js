// Starts the page, or shows why that is impossible.

const [absent, forbidden] = /** @type {HTMLElement[]} */ (["absent", "forbidden"].map(id => document.getElementById(id)));
// A host's policy may forbid what the page needs. A violation after the start is shown by app.js.
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
