// Submits the form once, shows that it is being submitted, and says so instead if there is no connection.
"use strict";

(() => {
  const form = document.querySelector("form[data-signing]");
  const button = form.querySelector("[type=submit]");
  const words = button.textContent;
  const offline = form.querySelector("[data-offline]");
  form.addEventListener("submit", (event) => {
    const isOffline = navigator.onLine === false;
    offline.hidden = !isOffline;
    if (isOffline || button.getAttribute("aria-busy") === "true") event.preventDefault();
    if (isOffline) return;
    button.setAttribute("aria-busy", "true");
    button.textContent = form.dataset.signing;
  });
  history.replaceState(null, "", location.href); // a posted page: going back to it later asks for it, and posts nothing
  window.addEventListener("pageshow", () => {
    button.removeAttribute("aria-busy");
    button.textContent = words;
  });
})();
