// Submits the form once, and shows that it is being submitted. Without a connection, shows a message instead.
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
  history.replaceState(null, "", location.href); // after a POST, so that going back to the page later sends a GET
  window.addEventListener("pageshow", () => {
    button.removeAttribute("aria-busy");
    button.textContent = words;
  });
})();
