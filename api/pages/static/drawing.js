// The drawn signature: a sharp canvas, undo and clear, and the drawing as PNG in a hidden input of the form.
"use strict";

(() => {
  const choice = document.getElementById("signature-choice");
  const typed = document.getElementById("typed");
  const drawn = document.getElementById("drawn");
  const canvas = document.getElementById("signature-canvas");
  const hidden = document.getElementById("signature-drawing");
  const MAX_RATIO = 3; // more pixels to the point than that are not seen, and would only make the form large
  const PNG = "data:image/png;base64,";
  const pad = new SignaturePad(canvas, { minWidth: 0.8, maxWidth: 2.6, penColor: "#14213d" });
  let width = 0;
  let kept = hidden.value.startsWith(PNG) ? hidden.value : ""; // drawn before a mistake elsewhere in the form

  function redraw(strokes) {
    pad.clear();
    if (kept) pad.fromDataURL(kept, { ratio: 1, width: canvas.clientWidth, height: canvas.clientHeight });
    pad.fromData(strokes, { clear: false });
  }

  function fit() {
    if (!canvas.clientWidth || canvas.clientWidth === width) return;
    const scale = width ? canvas.clientWidth / width : 1;
    const strokes = pad.toData().map((stroke) => ({
      ...stroke,
      points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
    }));
    width = canvas.clientWidth;
    const ratio = Math.min(Math.max(window.devicePixelRatio || 1, 2), MAX_RATIO);
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = canvas.clientHeight * ratio;
    canvas.getContext("2d").scale(ratio, ratio);
    redraw(strokes);
  }

  function keep() {
    hidden.value = kept || pad.toData().length ? canvas.toDataURL("image/png") : "";
    hidden.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function show() {
    const isDrawn = choice.querySelector("input:checked").value === "drawn";
    drawn.hidden = !isDrawn;
    typed.hidden = isDrawn;
    fit();
    hidden.dispatchEvent(new Event("input", { bubbles: true }));
  }

  pad.addEventListener("endStroke", keep);
  document.getElementById("drawing-undo").addEventListener("click", () => {
    const strokes = pad.toData();
    if (strokes.length) strokes.pop();
    else kept = "";
    redraw(strokes);
    keep();
  });
  document.getElementById("drawing-clear").addEventListener("click", () => {
    kept = "";
    redraw([]);
    keep();
  });
  choice.addEventListener("change", show);
  window.addEventListener("resize", fit);
  window.addEventListener("pageshow", show);
  choice.hidden = false;
  show();
})();
