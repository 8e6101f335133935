// Comfort in the app: times in the reader's own zone, and no second press while the first is under way.
"use strict";

(() => {
  const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

  function localise(root) {
    for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
      time.title = time.textContent;
      time.textContent = moments.format(new Date(time.dateTime));
      time.dataset.local = "";
    }
  }

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button) return;
    if (button.getAttribute("aria-busy") === "true") event.preventDefault();
    else if (event.target.method === "post") button.setAttribute("aria-busy", "true");
  });
  // A page that comes back out of the browser's memory has nothing under way.
  window.addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  });
  localise(document);
  window.undersign = { localise };
})();
