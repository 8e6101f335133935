// Looks again by itself while the signed documents are being prepared, as long as somebody is looking.
"use strict";

setInterval(() => {
  if (document.visibilityState === "visible") location.reload();
}, 4000);
