// Reloads a page that shows progress every four seconds, while the tab is visible.
"use strict";

setInterval(() => {
  if (document.visibilityState === "visible") location.reload();
}, 4000);
