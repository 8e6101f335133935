// Shows times in the reader's time zone, in the language of the page as it is written in the reader's country: with the
// browser's first tag of that language, such as `de-AT`. Calendar and digits are those of the page. The server's text
// becomes the tooltip.
"use strict";

(() => {
  const page = document.documentElement.lang;
  const local = navigator.languages.find((tag) => tag.split("-")[0] === page.split("-")[0]) ?? page;
  const format = { timeStyle: "short", calendar: "gregory", numberingSystem: "latn" };
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    time.title = time.textContent;
    time.textContent = new Intl.DateTimeFormat(local, { ...format, dateStyle: time.dataset.localTime }).format(new Date(time.dateTime));
  }
})();
