// Shows times in the reader's format and time zone; the server's text becomes the tooltip.
"use strict";

(() => {
  const written = new Intl.DateTimeFormat(navigator.languages, { dateStyle: "long", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    time.title = time.textContent;
    time.textContent = written.format(new Date(time.dateTime));
  }
})();
