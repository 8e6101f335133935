// Shows times in the reader's time zone, in the format of the page, or of an English page in the reader's; the server's text becomes the tooltip.
"use strict";

(() => {
  const page = document.documentElement.lang;
  const written = new Intl.DateTimeFormat(page === "en" ? navigator.languages : page, { dateStyle: "long", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    time.title = time.textContent;
    time.textContent = written.format(new Date(time.dateTime));
  }
})();
