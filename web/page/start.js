// Begins the page, or says why it cannot.

import("./app.js").catch(error => {
  const absent = document.getElementById("absent");
  absent.classList.add("failed");
  absent.append(` (${error.message})`);
});
