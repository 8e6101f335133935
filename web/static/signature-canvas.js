// Signatures and initials: strokes, as JSON in hidden inputs of the form, uploaded pictures, and previews of typed text.
// The server draws the strokes and reads the pictures: some browsers return other pixels of a canvas than it shows.
"use strict";

(() => {
  const WIDTH = 600; // of a pad, in the units of posted strokes
  const MAX_POINTS = 3000; // that the server accepts
  const PEN = { minWidth: 0.8, maxWidth: 2.6, penColor: "#14213d" };
  const PNG = "data:image/png;base64,";

  const PAUSE = 250; // milliseconds without input before the preview is requested
  const NO_HAND = /[^\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]/u; // text with characters of other scripts has one style only
  const form = document.getElementById("signing");
  const written = new Map(); // images of typed text, by style and text
  const styleNow = () => form.elements.signatureStyle.value;

  async function write(text) {
    const signatureStyle = styleNow();
    const key = `${signatureStyle} ${text}`;
    if (!written.has(key)) {
      try {
        const body = new URLSearchParams({ csrf: form.elements.csrf.value, text, signatureStyle });
        const answer = await fetch(form.dataset.hand, { method: "POST", body });
        if (!answer.ok) return null;
        written.set(key, (await answer.json()).picture);
      } catch {
        return null; // offline: the server renders the image on signing
      }
    }
    return written.get(key);
  }

  // Returns the data URL of the ink in a picture of a signature on paper.
  async function inkOf(file) {
    const answer = await fetch(form.dataset.ink, { method: "POST", body: file });
    return answer.ok ? (await answer.json()).picture : null;
  }

  // Returns a stroke in another unit. Time is stretched with the distances, so that speeds stay, and with them the widths.
  const scaled = ({ pen, points }, scale) => ({
    pen: pen.map((radius) => round(radius * scale, 1000)),
    points: points.map((point) => point.map((part) => round(part * scale, 10))),
  });
  const round = (part, steps) => Math.round(part * steps) / steps;

  const posted = (stroke) => ({
    pen: [stroke.minWidth, stroke.maxWidth],
    points: stroke.points.map(({ x, y, time }) => [x, y, time - stroke.points[0].time]),
  });
  const shown = ({ pen: [minWidth, maxWidth], points }) => ({
    ...PEN,
    minWidth,
    maxWidth,
    points: points.map(([x, y, time]) => ({ x, y, time: time + 1, pressure: 0.5 })),
  });

  // Leaves out every second point, but for the last, as long as there are too many.
  function thin(strokes) {
    while (strokes.reduce((sum, { points }) => sum + points.length, 0) > MAX_POINTS && strokes.some(({ points }) => points.length > 2)) {
      for (const stroke of strokes) stroke.points = stroke.points.filter((_, at, { length }) => at % 2 === 0 || at === length - 1);
    }
  }

  // Returns strokes as the data URL of an SVG. A hidden pad has no size, so they are drawn on one that is not shown.
  function pictured(strokes, aspectRatio) {
    if (!strokes.length) return "";
    const [across, down] = aspectRatio.split("/");
    const canvas = document.createElement("canvas");
    canvas.width = WIDTH * density();
    canvas.height = (canvas.width * down) / across;
    const pad = new SignaturePad(canvas, PEN);
    pad.fromData(strokes.map(shown));
    return pad.toDataURL("image/svg+xml");
  }
  const density = () => Math.max(window.devicePixelRatio || 1, 1); // as signature_pad reads the size of a canvas

  // One signature or initials field, with its choice between typing, drawing and (for signatures) uploading.
  class HandWriting {
    constructor(root) {
      const part = (name) => root.querySelector(`[data-${name}]`);
      this.root = root;
      this.choice = part("choice");
      this.typed = part("typed");
      this.drawn = part("drawn");
      this.uploaded = part("uploaded");
      this.upload = this.uploaded?.querySelector("[data-picture]");
      this.text = this.typed.querySelector("input");
      this.styles = this.typed.querySelector(".styles");
      this.hidden = part("ink");
      this.undo = part("undo");
      this.clear = part("clear");
      this.same = part("same");
      this.canvas = root.querySelector("canvas");
      this.pad = new SignaturePad(this.canvas, PEN);
      this.width = 0;
      this.read(this.hidden.value); // drawn before an error elsewhere in the form, or on another device
      this.redraw();

      this.pad.addEventListener("endStroke", ({ detail }) => this.end(detail.event));
      this.undo?.addEventListener("click", () => this.takeBack());
      this.clear.addEventListener("click", () => this.start(""));
      this.choice.addEventListener("change", () => this.show());
      this.text.addEventListener("input", () => this.preview());
      this.uploaded?.querySelector("[type=file]").addEventListener("change", (event) => this.readFile(event.target));
      window.addEventListener("resize", () => this.fit());
      window.addEventListener("pagehide", () => this.stop());
      window.addEventListener("pageshow", () => this.show());
      this.choice.hidden = false;
      for (const preview of root.querySelectorAll("[data-preview]")) preview.hidden = false; // nothing moves when it is filled
      this.show();
    }

    get kind() {
      return this.choice.querySelector("input:checked").value;
    }

    get isDrawn() {
      return this.kind === "drawn";
    }

    get isEmpty() {
      if (this.kind === "uploaded") return !this.upload.value;
      return this.isDrawn ? !this.hidden.value : !this.text.value.trim();
    }

    // Takes over a drawing: strokes, or a PNG, which a new stroke replaces.
    read(drawing) {
      this.picture = drawing.startsWith(PNG) ? drawing : "";
      this.strokes = drawing.startsWith("{") ? JSON.parse(drawing).strokes : [];
    }

    redraw() {
      for (const button of [this.undo, this.clear]) button?.setAttribute("aria-disabled", String(!this.hidden.value));
      this.hidden.dataset.shown = this.picture || pictured(this.strokes, getComputedStyle(this.canvas).aspectRatio);
      if (!this.width) return;
      this.pad.clear();
      const height = (this.width * this.canvas.height) / this.canvas.width;
      if (this.picture) this.pad.fromDataURL(this.picture, { ratio: 1, width: this.width, height });
      this.pad.fromData(this.strokes.map((stroke) => shown(scaled(stroke, this.width / WIDTH))), { clear: false });
    }

    fit() {
      const { clientWidth: width, clientHeight: height } = this.canvas;
      if (!width || width === this.width) return;
      this.take(); // a stroke that the resize interrupts
      this.pad.off();
      this.pad.on();
      this.width = width;
      this.canvas.width = width * density();
      this.canvas.height = height * density();
      this.canvas.getContext("2d").scale(density(), density());
      this.redraw();
    }

    tell() {
      this.hidden.dispatchEvent(new Event("input", { bubbles: true }));
    }

    // Adds the strokes that the pad has and `strokes` lacks. Points beyond the edge belong to them.
    take() {
      const added = this.pad.toData().slice(this.strokes.length).filter(({ points }) => points.length);
      if (!added.length) return;
      this.picture = "";
      this.strokes.push(...added.map((stroke) => scaled(posted(stroke), WIDTH / this.width)));
      thin(this.strokes);
      this.keep();
    }

    // Makes the line of a pen broader or thinner by the pressure.
    end({ pointerType }) {
      const stroke = this.pad.toData().at(-1);
      if (pointerType === "pen" && stroke) {
        const pressure = stroke.points.reduce((sum, point) => sum + point.pressure, 0) / stroke.points.length;
        stroke.minWidth *= 0.5 + pressure;
        stroke.maxWidth *= 0.5 + pressure;
      }
      this.take();
      this.redraw();
      this.tell();
    }

    keep() {
      this.hidden.value = this.picture || (this.strokes.length ? JSON.stringify({ strokes: this.strokes }) : "");
    }

    takeBack() {
      this.strokes.pop();
      this.start(JSON.stringify({ strokes: this.strokes }));
    }

    start(drawing) {
      this.read(drawing);
      this.keep();
      this.redraw();
      this.tell();
    }

    show() {
      for (const kind of ["drawn", "typed", "uploaded"]) if (this[kind]) this[kind].hidden = this.kind !== kind;
      if (!this.undo) this.clear.hidden = !this.isDrawn;
      this.fit();
      this.preview();
      if (this.upload) this.showIn(this.uploaded, this.upload.value);
      this.tell();
    }

    // Shows the typed text as it will be printed. Without a connection the preview stays empty.
    preview() {
      const text = this.text.value.trim();
      if (this.styles) this.styles.hidden = NO_HAND.test(text);
      const key = `${styleNow()} ${text}`;
      if (this.kind !== "typed" || key === this.shown) return;
      clearTimeout(this.timer);
      this.shown = key;
      if (written.has(key) || !text) {
        this.showIn(this.typed, written.get(key));
        return;
      }
      this.timer = setTimeout(async () => {
        const picture = await write(text);
        if (this.shown !== key) return;
        this.showIn(this.typed, picture);
        this.tell();
      }, PAUSE);
    }

    // While a page is left, Chromium applies `connect-src` to an inserted image, and refuses it. So no preview is shown then.
    stop() {
      clearTimeout(this.timer);
      this.shown = null;
    }

    showIn(part, picture) {
      const preview = part.querySelector("[data-preview]");
      preview.replaceChildren();
      part.classList.toggle("inked", Boolean(picture));
      if (!picture) return;
      const image = document.createElement("img");
      image.alt = preview.dataset.preview;
      image.src = picture;
      preview.append(image);
    }

    // The server reads a picture of a signature on paper: the paper becomes transparent, and the ink keeps its colour.
    async readFile(file) {
      const complaint = this.uploaded.querySelector("[data-complaint]");
      const [chosen] = file.files;
      let picture, words;
      try {
        picture = chosen && (await inkOf(chosen));
        words = chosen && !picture ? file.dataset.wrong : "";
      } catch {
        words = form.querySelector("[data-offline]").textContent;
      }
      if (file.files[0] !== chosen) return; // another file was chosen since
      this.upload.value = picture ?? "";
      complaint.textContent = words;
      complaint.hidden = !words;
      this.showIn(this.uploaded, this.upload.value);
      this.upload.dispatchEvent(new Event("input", { bubbles: true }));
    }

    copy(other) {
      this.choice.querySelector(`[value="${other.isDrawn ? "drawn" : "typed"}"]`).checked = true;
      this.text.value = other.text.value;
      this.start(other.isDrawn ? other.hidden.value : "");
      this.show();
    }
  }

  const places = [...document.querySelectorAll("[data-drawing]")].map((root) => new HandWriting(root));
  const initials = places.filter((place) => place.same);

  // Offers the initials of an earlier place in the places that are still empty.
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
  form.addEventListener("change", (event) => {
    if (event.target.name === "signatureStyle") for (const place of places) place.preview();
  });
  form.addEventListener("input", offer);
  offer();
})();
