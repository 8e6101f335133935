// Saves the form on the server as the recipient types. Shows the error of an input once it has lost the focus.
"use strict";

(() => {
  const form = document.getElementById("signing");
  const state = document.getElementById("saved");
  const announcer = document.getElementById("announcer");
  const words = state.dataset;
  const PAUSE = 900; // milliseconds without input before a save
  const LONGEST_WAIT = 30_000;
  const KEEPALIVE_BYTES = 60_000; // browsers limit keepalive requests to 64 KiB
  const left = new Set(); // inputs that have lost the focus: their errors may be shown
  let problems = {};
  let changes = 0;
  let saved = 0;
  let timer = 0;
  let wait = 0;
  let sending = null;
  let isOver = false; // signed, or the server rejects further saves

  const inputs = [...form.querySelectorAll("[data-input]")];
  const body = () => {
    const fields = new URLSearchParams(new FormData(form));
    fields.delete("consent");
    return fields;
  };

  let held = body().toString();

  function tell(text, isLoud) {
    state.textContent = text;
    if (isLoud) announcer.textContent = text;
  }

  // Problems

  function show(root, message) {
    const id = `${root.dataset.input}-problem`;
    const before = document.getElementById(id);
    if ((before?.textContent ?? "") === message) return;
    root.classList.toggle("wrong", Boolean(message));
    const controls = root.matches("fieldset") ? [root] : [...root.querySelectorAll("[data-value]")];
    for (const control of controls) {
      const others = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((part) => part && part !== id);
      const described = message ? [...others, id] : others;
      if (described.length) control.setAttribute("aria-describedby", described.join(" "));
      else control.removeAttribute("aria-describedby");
      if (!control.matches("fieldset:not([role=radiogroup])")) {
        if (message) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
      }
    }
    if (!message) before.remove();
    else if (before) before.textContent = message;
    else {
      const line = document.createElement("p");
      line.className = "problem";
      line.dir = document.documentElement.dir; // that of the field may differ
      line.id = id;
      line.textContent = message;
      root.append(line);
    }
    if (message) announcer.textContent = message;
    form.dispatchEvent(new Event("problems"));
  }

  function showAll() {
    for (const root of inputs) {
      const message = problems[root.dataset.input] ?? "";
      const isShown = root.classList.contains("wrong");
      // An error is shown once the input has lost the focus, and removed as soon as the input is valid.
      if (message ? left.has(root) : isShown && touched.has(root)) show(root, message);
    }
  }

  const touched = new Set();

  // A new error moves the elements below it, so a click that has begun would miss its target. It is shown after the click.
  const AFTER_CLICK = 100; // milliseconds; a touch screen sends the click after the release
  let isPressed = false;
  let isDue = false;
  function showSoon(pause = 0) {
    isDue = true;
    setTimeout(() => {
      if (isPressed || !isDue) return;
      isDue = false;
      showAll();
    }, pause);
  }
  window.addEventListener("pointerdown", () => (isPressed = true), true);
  for (const release of ["pointerup", "pointercancel"]) {
    window.addEventListener(
      release,
      () => {
        isPressed = false;
        if (isDue) showSoon(AFTER_CLICK);
      },
      true,
    );
  }

  // Saving

  async function save() {
    clearTimeout(timer);
    if (sending || isOver || saved === changes) return;
    const at = changes;
    tell(words.saving);
    sending = new AbortController();
    let answer = null;
    try {
      answer = await fetch(form.dataset.draft, { method: "POST", body: body(), signal: sending.signal, redirect: "error" });
    } catch {
      // offline, or the page is being closed
    }
    sending = null;
    if (answer?.ok) {
      wait = 0;
      saved = at;
      problems = (await answer.json()).problems;
      showSoon();
      tell(saved === changes ? words.done : words.saving);
      if (saved !== changes) later();
    } else if (answer && answer.status < 500 && answer.status !== 429) {
      isOver = true;
      tell(words.over, true);
    } else if (!isOver) {
      wait = Math.min((wait || 1000) * 2, LONGEST_WAIT);
      tell(words.lost, true);
      timer = setTimeout(save, wait);
    }
  }

  function later(pause = PAUSE) {
    if (wait) return; // a retry is scheduled
    clearTimeout(timer);
    timer = setTimeout(save, pause);
  }

  form.addEventListener("input", (event) => {
    const now = body().toString();
    if (now === held) return; // the event changed no value, such as a preview of the signature
    held = now;
    const root = event.target.closest("[data-input]");
    if (root) touched.add(root);
    changes += 1;
    if (!wait) tell(words.saving);
    later();
  });
  form.addEventListener("focusout", (event) => {
    const root = event.target.closest?.("[data-input]");
    if (!root || root.contains(event.relatedTarget)) return;
    left.add(root);
    showSoon();
    if (saved !== changes) later(0);
  });
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    isOver = true;
    clearTimeout(timer);
    sending?.abort();
  });
  // A form that was saved before is checked again, so that what was wrong is marked again.
  async function checkRestored() {
    const answer = await fetch(form.dataset.draft, { method: "POST", body: body(), redirect: "error" }).catch(() => null);
    if (!answer?.ok || changes) return;
    for (const root of inputs) if ([...root.querySelectorAll("[data-value]")].some((control) => control.value.trim())) left.add(root);
    problems = (await answer.json()).problems;
    showSoon();
  }
  if ("restored" in form.dataset) checkRestored();
  window.addEventListener("online", () => {
    wait = 0;
    save();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) isOver = false;
  });
  window.addEventListener("pagehide", () => {
    const fields = body();
    if (isOver || saved === changes || fields.toString().length > KEEPALIVE_BYTES) return;
    fetch(form.dataset.draft, { method: "POST", body: fields, keepalive: true }).catch(() => {});
  });
  window.addEventListener("beforeunload", (event) => {
    if (!isOver && saved !== changes && (wait || body().toString().length > KEEPALIVE_BYTES)) event.preventDefault();
  });
})();
