// Shows times in the reader's time zone. The format is that of the language of the page; on English pages, that of the
// browser's languages. The server's text becomes the tooltip.
"use strict";

(() => {
  const page = document.documentElement.lang;
  const written = new Intl.DateTimeFormat(page === "en" ? navigator.languages : page, { dateStyle: "long", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    time.title = time.textContent;
    time.textContent = written.format(new Date(time.dateTime));
  }
})();
