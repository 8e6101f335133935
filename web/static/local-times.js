// Times as the reader writes them, in the reader's own zone; what the server said stays as the tooltip.
"use strict";

(() => {
  const written = new Intl.DateTimeFormat(navigator.languages, { dateStyle: "long", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    time.title = time.textContent;
    time.textContent = written.format(new Date(time.dateTime));
  }
})();
