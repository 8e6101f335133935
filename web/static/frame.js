// Posts the height of this page, its start and the act of the recipient to the page that frames it, and to no other
// origin. That page posts how much of the frame is visible, so that the bar with the next input stays in sight.
"use strict";

(() => {
  const { origin, act } = document.currentScript.dataset;
  if (window.parent === window) return;
  const report = (members) => window.parent.postMessage({ source: "undersign", ...members }, origin);
  document.documentElement.classList.add("framed"); // as high as its content, not as the frame
  new ResizeObserver(() => {
    report({ act: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
  }).observe(document.body);
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || event.origin !== origin || event.data?.source !== "undersign") return;
    document.documentElement.style.setProperty("--visible", `${Number(event.data.visible) || 0}px`);
  });
  report({ act: "page" });
  report({ act });
})();
