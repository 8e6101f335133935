// What is drawn by hand, signature and initials: a sharp canvas, and the drawing as PNG in a hidden input of the form.
"use strict";

(() => {
  const MAX_RATIO = 3; // more pixels to the point than that are not seen, and would only make the form large
  const PNG = "data:image/png;base64,";

  // One place to write by hand, with its choice between typing and drawing.
  class HandWriting {
    constructor(root) {
      const part = (name) => root.querySelector(`[data-${name}]`);
      this.choice = part("choice");
      this.typed = part("typed");
      this.drawn = part("drawn");
      this.text = this.typed.querySelector("input");
      this.hidden = part("ink");
      this.undo = part("undo");
      this.clear = part("clear");
      this.same = part("same");
      this.canvas = root.querySelector("canvas");
      this.pad = new SignaturePad(this.canvas, { minWidth: 0.8, maxWidth: 2.6, penColor: "#14213d" });
      this.width = 0;
      this.kept = this.ink; // drawn before a mistake elsewhere in the form, or in another place

      this.pad.addEventListener("endStroke", () => this.keep());
      this.undo?.addEventListener("click", () => this.takeBack());
      this.clear.addEventListener("click", () => this.start(""));
      this.choice.addEventListener("change", () => this.show());
      window.addEventListener("resize", () => this.fit());
      window.addEventListener("pageshow", () => this.show());
      this.choice.hidden = false;
      this.show();
    }

    get isDrawn() {
      return this.choice.querySelector("input:checked").value === "drawn";
    }

    get ink() {
      return this.hidden.value.startsWith(PNG) ? this.hidden.value : "";
    }

    get isEmpty() {
      return this.isDrawn ? !this.ink : !this.text.value.trim();
    }

    redraw(strokes) {
      this.pad.clear();
      const { clientWidth: width, clientHeight: height } = this.canvas;
      if (this.kept && width) this.pad.fromDataURL(this.kept, { ratio: 1, width, height });
      this.pad.fromData(strokes, { clear: false });
    }

    fit() {
      const { clientWidth: width, clientHeight: height } = this.canvas;
      if (!width || width === this.width) return;
      const scale = this.width ? width / this.width : 1;
      const strokes = this.pad.toData().map((stroke) => ({
        ...stroke,
        points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
      }));
      this.width = width;
      const ratio = Math.min(Math.max(window.devicePixelRatio || 1, 2), MAX_RATIO);
      this.canvas.width = width * ratio;
      this.canvas.height = height * ratio;
      this.canvas.getContext("2d").scale(ratio, ratio);
      this.redraw(strokes);
    }

    tell() {
      this.hidden.dispatchEvent(new Event("input", { bubbles: true }));
    }

    keep() {
      this.hidden.value = this.kept || this.pad.toData().length ? this.canvas.toDataURL("image/png") : "";
      this.tell();
    }

    takeBack() {
      const strokes = this.pad.toData();
      if (strokes.length) strokes.pop();
      else this.kept = "";
      this.redraw(strokes);
      this.keep();
    }

    start(drawing) {
      this.kept = drawing;
      this.hidden.value = drawing;
      this.redraw([]);
      this.tell();
    }

    show() {
      this.drawn.hidden = !this.isDrawn;
      this.typed.hidden = this.isDrawn;
      if (!this.undo) this.clear.hidden = !this.isDrawn;
      this.fit();
      this.tell();
    }

    copy(other) {
      this.choice.querySelector(`[value="${other.isDrawn ? "drawn" : "typed"}"]`).checked = true;
      this.text.value = other.text.value;
      this.start(other.isDrawn ? other.ink : "");
      this.show();
    }
  }

  const places = [...document.querySelectorAll("[data-drawing]")].map((root) => new HandWriting(root));
  const initials = places.filter((place) => place.same);

  // Whoever has given initials once may use them in the other places.
  function offer() {
    initials.forEach((place, at) => {
      place.same.hidden = !place.isEmpty || !initials.some((other, before) => before < at && !other.isEmpty);
    });
  }

  for (const [at, place] of initials.entries()) {
    place.same.addEventListener("click", () => {
      place.copy(initials.findLast((other, before) => before < at && !other.isEmpty));
      place.choice.querySelector("input:checked").focus();
    });
  }
  document.getElementById("signing").addEventListener("input", offer);
  offer();
})();
