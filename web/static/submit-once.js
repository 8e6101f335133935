// A form that is being handed in says so, and is handed in once.
"use strict";

(() => {
  const form = document.querySelector("form[data-signing]");
  const button = form.querySelector("[type=submit]");
  const words = button.textContent;
  form.addEventListener("submit", (event) => {
    if (button.getAttribute("aria-busy") === "true") event.preventDefault();
    button.setAttribute("aria-busy", "true");
    button.textContent = form.dataset.signing;
  });
  window.addEventListener("pageshow", () => {
    button.removeAttribute("aria-busy");
    button.textContent = words;
  });
})();
