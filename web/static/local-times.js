// Shows times in the reader's time zone, in the language of the page as it is written in the reader's country: with the
// browser's first tag of that language, such as `de-AT`. Calendar and digits are those of the page. The server's text
// becomes the tooltip.
"use strict";

(() => {
  const page = document.documentElement.lang;
  const local = navigator.languages.find((tag) => tag.split("-")[0] === page.split("-")[0]) ?? page;
  const format = { dateStyle: "long", timeStyle: "short", calendar: "gregory", numberingSystem: "latn" };
  const written = new Intl.DateTimeFormat(local, format);
  for (const time of document.querySelectorAll("time[data-local-time]")) {
    time.title = time.textContent;
    time.textContent = written.format(new Date(time.dateTime));
  }
})();
