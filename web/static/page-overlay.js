// The exact pages: every input once more, over its zone. The inputs of the text are the form; these only mirror them.
"use strict";

(() => {
  const form = document.getElementById("signing");
  const views = document.getElementById("views");
  const exactPages = document.getElementById("pages-view");
  const bar = document.getElementById("zoom");
  const dialog = document.getElementById("initials-dialog");
  const holder = dialog.querySelector("[data-holder]");
  const KEPT = "undersign-view";
  const syncs = []; // brings every mirror up to date with its input
  const mirrors = new Map(); // what stands on the pages for an input, by the input's id

  const tell = (control) => control.dispatchEvent(new Event("input", { bubbles: true }));
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
    copy.setAttribute("form", "none"); // of no form: what is handed in stands in the text
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

  // A button that shows what is written by hand.
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

  function openInitials(root) {
    const stand = document.createComment("");
    root.replaceWith(stand);
    holder.replaceChildren(root);
    dialog.showModal();
    window.dispatchEvent(new Event("resize")); // what is drawn gets its size
    dialog.addEventListener(
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
    const picture = preview?.src || part.querySelector("[data-ink]")?.value;
    return picture ? { picture } : { text: part.querySelector("input[type=text]")?.value.trim() };
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
      const act = () => openInitials(root);
      found.push(put(mirrorHand(words, `${words}: ${name}`, () => inkOf(root), act), page, box));
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
        if (element.type !== "button") element.setAttribute("aria-invalid", String(Boolean(problem)));
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
    bar.hidden = wanted !== exactPages.id;
    document.body.classList.toggle("shows-pages", wanted === exactPages.id);
    for (const sync of syncs) sync();
    window.dispatchEvent(new Event("resize"));
    try {
      sessionStorage.setItem(KEPT, wanted);
    } catch {
      // kept nowhere: the next page begins with the text
    }
  }

  for (const button of views.children) button.addEventListener("click", () => show(button.dataset.view));
  form.addEventListener("input", () => syncs.forEach((sync) => sync()));
  form.addEventListener("problems", () => syncs.forEach((sync) => sync()));
  dialog.querySelector("[data-done]").addEventListener("click", () => dialog.close());
  // Where the text would be shown, the place on the page is.
  form.addEventListener("seek", (event) => {
    const found = exactPages.hidden ? null : mirrors.get(event.detail.replace(/-canvas$/, ""));
    if (!found) return;
    event.preventDefault();
    found.scrollIntoView({ block: "center", inline: "center" });
    found.focus({ preventScroll: true });
  });

  // Zoom

  const pages = exactPages.querySelector(".pages");
  const shown = bar.querySelector("output");
  const SMALLEST = 0.5;
  const LARGEST = 4;
  let zoom = 1;

  // The spot of a page that is at `x` and `y` on the screen stays there.
  function resize(wanted, x = innerWidth / 2, y = innerHeight / 2) {
    const sheets = [...pages.querySelectorAll(".page")];
    const sheet = sheets.find((page) => page.getBoundingClientRect().bottom > y) ?? sheets.at(-1);
    const before = sheet.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    zoom = Math.min(Math.max(wanted, SMALLEST), LARGEST);
    pages.style.setProperty("--zoom", zoom);
    shown.textContent = `${Math.round(zoom * 100)} %`;
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
    // as above
  }
  if (kept === exactPages.id) show(kept);
})();
