// Reloads a page that shows work under way, as long as the tab is visible.
"use strict";

setInterval(() => {
  if (document.visibilityState === "visible") location.reload();
}, 4000);
