// Reloads the page while the signed documents are being prepared, as long as the tab is visible.
"use strict";

setInterval(() => {
  if (document.visibilityState === "visible") location.reload();
}, 4000);
