// Starts the page, or shows why that is impossible.

const absent = /** @type {HTMLElement} */ (document.getElementById("absent"));
/** Shows a fault that prevents the start. @param {string} fault */
const fail = fault => {
  absent.classList.add("failed");
  absent.append(` (${fault})`);
};
// The policy of a host may forbid what the page needs, then or later. A violation after the start is shown by app.js.
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  if (absent.isConnected) fail(`Content-Security-Policy: ${effectiveDirective}, ${blockedURI.slice(0, 60)}`);
});
import("./app.js").catch(error => fail(error.message));
