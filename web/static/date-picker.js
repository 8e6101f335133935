// A calendar beside each input for a day: the browser's own, whose choice is written in the form of the document.
"use strict";

(() => {
  for (const button of document.querySelectorAll("[data-calendar]")) {
    const box = button.parentElement;
    const [text, calendar] = [box.querySelector("[data-value]"), box.querySelector("[type=date]")];
    if (!calendar.showPicker) continue;
    const format = button.dataset.calendar;

    const written = (day) => {
      const [year, month, date] = day.split("-");
      return format.replace("YYYY", year).replace("YY", year.slice(-2)).replace("MM", month).replace("DD", date);
    };
    button.addEventListener("click", () => calendar.showPicker());
    calendar.addEventListener("change", () => {
      if (!calendar.value) return;
      text.value = written(calendar.value);
      text.dispatchEvent(new Event("input", { bubbles: true }));
      text.focus();
    });
    button.hidden = false;
  }
})();
