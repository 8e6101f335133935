// Signatures and initials: drawings and uploads, as PNG in hidden inputs of the form, and previews of typed text.
"use strict";

(() => {
  const MAX_RATIO = 3; // more pixels are not visible and make the form larger
  const PNG = "data:image/png;base64,";

  const PAUSE = 250; // milliseconds without input before the preview is requested
  const VISIBLE = 64; // of 255: more opaque pixels of an uploaded signature are ink
  const LARGEST = [1200, 600]; // pixels of an uploaded signature
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

  async function inkOf(file) {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, LARGEST[0] / image.width, LARGEST[1] / image.height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
    const { data } = pixels;
    const shades = [];
    for (let at = 0; at < data.length; at += 4) {
      const opacity = data[at + 3] / 255;
      const shade = 0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2];
      shades.push(255 - (255 - shade) * opacity);
    }
    const sorted = Float32Array.from(shades).sort();
    const paper = sorted[Math.floor(sorted.length * 0.9)];
    const ink = sorted[Math.floor(sorted.length * 0.005)];
    const [lightest, range] = [paper - (paper - ink) * 0.3, Math.max(1, (paper - ink) * 0.45)];
    shades.forEach((shade, at) => {
      data[at * 4 + 3] = Math.round(255 * Math.min(1, Math.max(0, (lightest - shade) / range)));
    });
    context.putImageData(pixels, 0, 0);
    return cropped(canvas, data).toDataURL("image/png");
  }

  // Returns the part of the canvas with ink, so that the signature fills its place on the page.
  function cropped(canvas, data) {
    const { width, height } = canvas;
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (data[(y * width + x) * 4 + 3] < VISIBLE) continue;
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      }
    }
    if (right < 0) return canvas;
    const part = document.createElement("canvas");
    [part.width, part.height] = [right - left + 1, bottom - top + 1];
    part.getContext("2d").drawImage(canvas, -left, -top);
    return part;
  }

  // One signature or initials field, with its choice between typing, drawing and (for signatures) uploading.
  class HandWriting {
    constructor(root) {
      const part = (name) => root.querySelector(`[data-${name}]`);
      this.root = root;
      this.choice = part("choice");
      this.typed = part("typed");
      this.drawn = part("drawn");
      this.uploaded = part("uploaded");
      this.picture = this.uploaded?.querySelector("[data-picture]");
      this.text = this.typed.querySelector("input");
      this.styles = this.typed.querySelector(".styles");
      this.hidden = part("ink");
      this.undo = part("undo");
      this.clear = part("clear");
      this.same = part("same");
      this.canvas = root.querySelector("canvas");
      this.pad = new SignaturePad(this.canvas, { minWidth: 0.8, maxWidth: 2.6, penColor: "#14213d" });
      this.width = 0;
      this.kept = this.ink; // drawn before an error elsewhere in the form

      this.pad.addEventListener("endStroke", () => this.keep());
      this.undo?.addEventListener("click", () => this.takeBack());
      this.clear.addEventListener("click", () => this.start(""));
      this.choice.addEventListener("change", () => this.show());
      this.text.addEventListener("input", () => this.preview());
      this.uploaded?.querySelector("[type=file]").addEventListener("change", (event) => this.upload(event.target));
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

    get ink() {
      return this.hidden.value.startsWith(PNG) ? this.hidden.value : "";
    }

    get isEmpty() {
      if (this.kind === "uploaded") return !this.picture.value;
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
      for (const kind of ["drawn", "typed", "uploaded"]) if (this[kind]) this[kind].hidden = this.kind !== kind;
      if (!this.undo) this.clear.hidden = !this.isDrawn;
      this.fit();
      this.preview();
      if (this.picture) this.showIn(this.uploaded, this.picture.value);
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
      if (!picture) return;
      const image = document.createElement("img");
      image.alt = preview.dataset.preview;
      image.src = picture;
      preview.append(image);
    }

    // Reads a picture of a signature on paper. The paper becomes transparent, and the ink keeps its colour.
    async upload(file) {
      const complaint = this.uploaded.querySelector("[data-complaint]");
      try {
        this.picture.value = file.files.length ? await inkOf(file.files[0]) : "";
        complaint.hidden = true;
      } catch {
        this.picture.value = "";
        complaint.textContent = file.dataset.wrong;
        complaint.hidden = false;
      }
      this.showIn(this.uploaded, this.picture.value);
      this.picture.dispatchEvent(new Event("input", { bubbles: true }));
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
