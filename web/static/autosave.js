// What is filled in is saved on the server as it comes, and what is wrong with it is said once an input has been left.
"use strict";

(() => {
  const form = document.getElementById("signing");
  const state = document.getElementById("saved");
  const announcer = document.getElementById("announcer");
  const words = state.dataset;
  const PAUSE = 900; // milliseconds of rest before a save
  const LONGEST_WAIT = 30_000;
  const KEEPALIVE_BYTES = 60_000; // browsers send no more than 64 KiB after a page is gone
  const left = new Set(); // inputs that have been left: what is wrong with them may be said
  let problems = {};
  let changes = 0;
  let saved = 0;
  let timer = 0;
  let wait = 0;
  let sending = null;
  let isOver = false; // signed, or nothing more is taken

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
      // Said when it has been left, and taken back as soon as it is right.
      if (message ? left.has(root) : isShown && touched.has(root)) show(root, message);
    }
  }

  const touched = new Set();

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
      // no connection, or the page is being left
    }
    sending = null;
    if (answer?.ok) {
      wait = 0;
      saved = at;
      problems = (await answer.json()).problems;
      showAll();
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
    if (wait) return; // tried again anyway
    clearTimeout(timer);
    timer = setTimeout(save, pause);
  }

  form.addEventListener("input", (event) => {
    const now = body().toString();
    if (now === held) return; // an event that changed nothing, such as a picture of what was typed
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
    showAll();
    if (saved !== changes) later(0);
  });
  form.addEventListener("submit", () => {
    isOver = true;
    clearTimeout(timer);
    sending?.abort();
  });
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
