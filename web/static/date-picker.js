// Opens the browser's calendar beside each date input, and writes the chosen date in the format of the document.
// A date without a day has a calendar in browsers that can choose a month.
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-calendar]")) {
    const box = button.parentElement;
    const [text, calendar] = [box.querySelector("[data-value]"), box.querySelector(".calendar")];
    if (!calendar.showPicker || calendar.type === "text") continue;
    const format = button.dataset.calendar;

    const written = (day) => {
      const [year, month, date] = day.split("-");
      return format.replace("YYYY", year).replace("YY", year.slice(-2)).replace("MM", month).replace("DD", date);
    };
    // Returns the day or month in the input as an ISO date; not a valid date if the input has none.
    const entered = () => {
      const numbers = text.value.trim().split(/\D+/);
      const parts = Object.fromEntries(format.match(/YYYY|YY|MM|DD/g).map((part, at) => [part, numbers[at] ?? ""]));
      const year = parts.YYYY ?? `20${parts.YY}`;
      return [year, parts.MM, parts.DD].filter((part) => part !== undefined).map((part) => part.padStart(2, "0")).join("-");
    };
    button.addEventListener("click", () => {
      calendar.value = entered(); // browsers ignore an invalid date
      calendar.showPicker();
    });
    calendar.addEventListener("change", () => {
      if (!calendar.value) return;
      text.value = written(calendar.value);
      text.dispatchEvent(new Event("input", { bubbles: true }));
      text.focus();
    });
    button.hidden = false;
  }
})();
