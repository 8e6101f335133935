// Posts the height of this page and the act of the recipient to the page that frames it, and to no other origin.
// Follows what is visible of the frame: each page begins at its top, and the bar with the next input stays in sight.
"use strict";

(() => {
  const { origin, act } = document.currentScript.dataset;
  if (window.parent === window) return;
  const report = (members) => window.parent.postMessage({ source: "undersign", ...members }, origin);
  const root = document.documentElement;
  root.classList.add("framed"); // as high as its content, not as the frame
  new ResizeObserver(() => {
    report({ act: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
  }).observe(document.body);
  const STEPS = 400; // changes of what is visible that are noticed on the way through the page
  let isNew = true;
  new IntersectionObserver(
    ([{ isIntersecting, intersectionRect: visible }]) => {
      if (isNew && visible.top > 0) root.scrollIntoView();
      // After a longer page, the part of the frame that is in sight may be below this page until the host shortens it.
      isNew &&= !isIntersecting;
      root.style.setProperty("--visible", `${visible.bottom}px`);
    },
    { threshold: [...Array(STEPS + 1).keys()].map((step) => step / STEPS) },
  ).observe(document.body);
  report({ act });
})();
