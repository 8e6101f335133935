// Posts the height of this page and the act of the recipient to the page that frames it, and to no other origin.
"use strict";

(() => {
  const { origin, act } = document.currentScript.dataset;
  if (window.parent === window) return;
  const report = (members) => window.parent.postMessage({ source: "undersign", ...members }, origin);
  document.documentElement.classList.add("framed"); // as high as its content, not as the frame
  new ResizeObserver(() => {
    report({ act: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
  }).observe(document.body);
  report({ act });
})();
