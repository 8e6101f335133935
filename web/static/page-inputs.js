// The page view: a copy of every input over its zone. The copies mirror the inputs of the reading view, which are submitted.
"use strict";

(() => {
  const form = document.getElementById("signing");
  const views = document.getElementById("views");
  const exactPages = document.getElementById("pages-view");
  const bar = document.getElementById("zoom");
  const sheet = document.getElementById("field-sheet");
  const hasSheets = matchMedia("(max-width: 40rem)").matches; // on a phone, inputs on a page are too small to use
  const holder = sheet.querySelector("[data-holder]");
  const KEPT = "undersign-view";
  const syncs = []; // functions that update a copy from its input
  const mirrors = new Map(); // the copy of an input on the pages, by the input's id

  const tell = (control) => control.dispatchEvent(new Event("input", { bubbles: true }));
  const isTick = (source) => ["checkbox", "radio"].includes(source.type);
  const wordsOf = (source) => {
    if (isTick(source)) return source.checked ? (source.closest("label")?.textContent.trim() ?? "✓") : "";
    return source.matches("select") ? (source.value && source.selectedOptions[0].textContent) : source.value;
  };
  const labelOf = (root) => (root.querySelector("legend") ?? root.querySelector("label")).firstChild.textContent.trim();

  function put(element, page, box) {
    const [x, y, w, h] = box.map((part) => `${part / 10}%`);
    Object.assign(element.style, { left: x, top: y, width: w, height: h });
    element.classList.add("place");
    page.append(element);
    return element;
  }

  function mirrorOf(source, name) {
    const copy = source.cloneNode(true);
    for (const attribute of ["id", "name", "aria-describedby", "data-value", "data-box"]) copy.removeAttribute(attribute);
    copy.className = "";
    copy.setAttribute("form", "none"); // outside the form: only the reading view is submitted
    copy.setAttribute("aria-label", name);
    return copy;
  }

  function mirrorText(source, name) {
    const copy = mirrorOf(source, name);
    const sync = () => {
      if (copy.value !== source.value) copy.value = source.value;
    };
    copy.addEventListener("input", () => {
      source.value = copy.value;
      tell(source);
    });
    syncs.push(sync);
    return copy;
  }

  function mirrorChoice(source, name) {
    const copy = mirrorOf(source, name);
    if (source.type === "radio") copy.name = `mirror-${source.name}`;
    copy.addEventListener("input", () => {
      source.checked = copy.checked;
      tell(source);
    });
    syncs.push(() => {
      copy.checked = source.checked;
    });
    return copy;
  }

  // A button that shows handwriting.
  function mirrorHand(words, name, ink, act) {
    const button = document.createElement("button");
    button.setAttribute("aria-label", name);
    button.type = "button";
    button.className = "hand";
    button.addEventListener("click", act);
    syncs.push(() => {
      const { text, picture } = ink();
      const image = document.createElement("img");
      button.classList.toggle("script", Boolean(text));
      if (picture) {
        image.src = picture;
        image.alt = "";
        button.replaceChildren(image);
      } else button.textContent = text || words;
    });
    return button;
  }

  // Moves the input itself into a dialog over the pages, until the dialog is closed.
  function openSheet(root) {
    const stand = document.createComment("");
    root.replaceWith(stand);
    holder.replaceChildren(root);
    sheet.setAttribute("aria-label", labelOf(root));
    sheet.showModal();
    window.dispatchEvent(new Event("resize")); // resizes the canvas
    sheet.addEventListener(
      "close",
      () => {
        stand.replaceWith(root);
        tell(root.querySelector("[data-value]"));
      },
      { once: true },
    );
  }

  function inkOf(root) {
    const part = root.querySelector("[data-typed]:not([hidden]), [data-drawn]:not([hidden]), [data-uploaded]:not([hidden])");
    const preview = part.querySelector("[data-preview]:not([hidden]) img");
    const picture = preview?.src || part.querySelector("[data-ink]")?.dataset.shown;
    return picture ? { picture } : { text: part.querySelector("input[type=text]")?.value.trim() };
  }

  // A button over the places of an input, which show its value. It is at least 24 pixels wide and high, so that it can be tapped.
  function mirrorSheet(root, page, box, name) {
    const boxes = [...root.querySelectorAll("[data-box]")];
    const sources = boxes.length ? boxes : [root.querySelector("[data-value]")];
    const places = boxes.length ? boxes.map((option) => option.dataset.box.split(" ")) : [box];
    const tiles = sources.map((source, at) => {
      const tile = document.createElement("span");
      tile.setAttribute("aria-hidden", "true");
      tile.dir = "auto";
      if (isTick(source)) tile.setAttribute("type", source.type);
      return put(tile, page, places[at]);
    });
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => openSheet(root));
    syncs.push(() => {
      const values = sources.map(wordsOf);
      tiles.forEach((tile, at) => {
        if (isTick(sources[at])) tile.classList.toggle("on", sources[at].checked);
        else tile.textContent = values[at];
      });
      button.setAttribute("aria-label", [name, values.filter(Boolean).join(", ")].filter(Boolean).join(": "));
    });
    const [x, y] = [0, 1].map((side) => Math.min(...places.map((place) => Number(place[side]))));
    const [w, h] = [0, 1].map((side) => Math.max(...places.map((place) => Number(place[side]) + Number(place[side + 2]))) - [x, y][side]);
    const around = (start, size) => `calc(${start / 10}% - max(0px, (24px - ${size / 10}%) / 2))`;
    put(button, page, [x, y, w, h]);
    Object.assign(button.style, { left: around(x, w), top: around(y, h), width: `max(24px, ${w / 10}%)`, height: `max(24px, ${h / 10}%)` });
    button.classList.add("tap");
    return [button, ...tiles];
  }

  function mirror(root) {
    const [number, ...box] = root.dataset.place.split(" ");
    const page = exactPages.querySelector(`[data-file="${root.closest("[data-file]").dataset.file}"] [data-page="${number}"]`);
    if (!page || !box.length) return;
    const found = [];
    if (root.matches(".signature-block")) {
      const signature = document.getElementById("signature");
      const act = () => {
        signature.scrollIntoView({ block: "start" });
        signature.focus({ preventScroll: true });
      };
      put(mirrorHand(exactPages.dataset.sign, exactPages.dataset.sign, () => inkOf(signature), act), page, box);
      return;
    }
    const name = labelOf(root);
    if (root.matches(".initials")) {
      const words = exactPages.dataset.initials;
      const act = () => openSheet(root);
      found.push(put(mirrorHand(words, `${words}: ${name}`, () => inkOf(root), act), page, box));
    } else if (hasSheets) {
      found.push(...mirrorSheet(root, page, box, name));
    } else if (root.matches(".ticks, .radios")) {
      for (const option of root.querySelectorAll("[data-box]")) {
        const text = option.closest("label").textContent.trim();
        found.push(put(mirrorChoice(option, `${name}: ${text}`), page, option.dataset.box.split(" ")));
      }
    } else {
      const source = root.querySelector("[data-value]");
      found.push(put(source.type === "checkbox" ? mirrorChoice(source, name) : mirrorText(source, name), page, box));
    }
    mirrors.set(root.dataset.input, found[0]);
    syncs.push(() => {
      const problem = root.querySelector(".problem")?.textContent ?? "";
      for (const element of found) {
        element.classList.toggle("wrong", Boolean(problem));
        if (element.matches("input, select, textarea")) element.setAttribute("aria-invalid", String(Boolean(problem)));
        element.title = problem;
      }
    });
    for (const element of found) {
      element.addEventListener("focusout", () => root.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    }
  }

  function show(wanted) {
    if (wanted === exactPages.id && !syncs.length) form.querySelectorAll("#text-view [data-place]").forEach(mirror);
    for (const button of views.children) {
      const isOn = button.dataset.view === wanted;
      button.setAttribute("aria-pressed", String(isOn));
      document.getElementById(button.dataset.view).hidden = !isOn;
    }
    bar.hidden = told.hidden = wanted !== exactPages.id;
    document.body.classList.toggle("shows-pages", wanted === exactPages.id);
    for (const sync of syncs) sync();
    tellPage();
    window.dispatchEvent(new Event("resize"));
    try {
      sessionStorage.setItem(KEPT, wanted);
    } catch {
      // no storage: the next page starts with the reading view
    }
  }

  for (const button of views.children) button.addEventListener("click", () => show(button.dataset.view));
  form.addEventListener("input", () => syncs.forEach((sync) => sync()));
  form.addEventListener("problems", () => syncs.forEach((sync) => sync()));
  sheet.querySelector("[data-done]").addEventListener("click", () => sheet.close());
  // Focuses the copy on the page instead of the input in the reading view.
  form.addEventListener("seek", (event) => {
    if (sheet.open) {
      // The input of the sheet is back in its place only after the event "close".
      event.preventDefault();
      sheet.addEventListener("close", () => form.dispatchEvent(new CustomEvent("seek", { detail: event.detail, cancelable: true })), { once: true });
      sheet.close();
      return;
    }
    const found = exactPages.hidden ? null : mirrors.get(event.detail.replace(/-canvas$/, ""));
    if (!found) return;
    event.preventDefault();
    found.scrollIntoView({ block: "center", inline: "center" });
    found.focus({ preventScroll: true });
    if (found.matches("button")) found.click(); // opens the input over the page
  });

  // The page that is being read, and those that are loading

  const told = document.getElementById("page-told");
  const sheets = [...exactPages.querySelectorAll(".page")];
  function tellPage() {
    if (exactPages.hidden) return;
    const read = sheets.find((page) => page.getBoundingClientRect().bottom > innerHeight / 2) ?? sheets.at(-1);
    const all = read.parentElement.querySelectorAll(".page").length;
    told.textContent = told.dataset.words.replace("{number}", read.dataset.page).replace("{count}", all);
  }
  document.addEventListener("scroll", () => requestAnimationFrame(tellPage), { passive: true });
  for (const page of sheets) {
    const image = page.querySelector("img");
    const tellLoading = () => page.classList.toggle("loading", !image.complete);
    for (const name of ["load", "error"]) image.addEventListener(name, tellLoading);
    tellLoading();
  }

  // Zoom

  const pages = exactPages.querySelector(".pages");
  const shown = bar.querySelector("output");
  const SMALLEST = 0.5;
  const LARGEST = 4;
  let zoom = 1;
  const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent", numberingSystem: "latn" });

  // Zooms the pages. The point of a page at `x` and `y` of the window stays in place.
  function resize(wanted, x = innerWidth / 2, y = innerHeight / 2) {
    const sheets = [...pages.querySelectorAll(".page")];
    const sheet = sheets.find((page) => page.getBoundingClientRect().bottom > y) ?? sheets.at(-1);
    const before = sheet.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    zoom = Math.min(Math.max(wanted, SMALLEST), LARGEST);
    pages.style.setProperty("--zoom", zoom);
    shown.textContent = percent.format(zoom);
    const after = sheet.getBoundingClientRect();
    pages.scrollLeft += after.left + across * after.width - x;
    if (before.top < y) window.scrollBy({ top: after.top + down * after.height - y, behavior: "instant" });
  }

  const steps = { in: () => resize(zoom * 1.25), out: () => resize(zoom / 1.25), fit: () => resize(1) };
  for (const button of bar.querySelectorAll("[data-zoom]")) button.addEventListener("click", steps[button.dataset.zoom]);
  pages.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      resize(zoom * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
    },
    { passive: false },
  );
  const fingers = new Map();
  let apart = 0;
  const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  pages.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") fingers.set(event.pointerId, event);
    if (fingers.size === 2) apart = distance([...fingers.values()]);
  });
  pages.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size !== 2) return;
    const [a, b] = [...fingers.values()];
    const now = distance([a, b]);
    resize((zoom * now) / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
    apart = now;
  });
  for (const name of ["pointerup", "pointercancel"]) {
    window.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }

  document.getElementById("tools").hidden = false;
  let kept = null;
  try {
    kept = sessionStorage.getItem(KEPT);
  } catch {
    // no storage
  }
  if (kept === exactPages.id) show(kept);
})();
