// The JSON editor: previews the text while the user types, and selects the line of an issue.
"use strict";

(() => {
  const form = document.getElementById("editor");
  const text = form.elements.namedItem("body");
  const said = document.getElementById("said");
  const PAUSE = 800;
  let timer = 0;
  let running = null;
  let previewed = text.value;

  async function preview(page) {
    clearTimeout(timer);
    running?.abort();
    running = new AbortController();
    previewed = text.value;
    const inputs = new URLSearchParams(new FormData(form));
    if (page) inputs.set("page", page);
    try {
      const options = { method: "POST", body: inputs, signal: running.signal, headers: { Accept: "text/html" } };
      const answer = await fetch(form.dataset.preview, options);
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("shown"));
    } catch {
      // Offline, or another preview was started.
    }
  }

  function show(fresh) {
    if (!fresh) return; // signed out
    const shown = document.getElementById("shown");
    const pressed = shown.contains(document.activeElement) ? document.activeElement.value : null;
    const open = shown.querySelector(".json-warnings")?.open;
    const before = shown.querySelector("#shown-page:has(.page-view)");
    if (!fresh.querySelector(".page-view") && before) {
      before.classList.add("stale"); // the last pages stay while there are issues
      fresh.querySelector("#shown-page").replaceWith(before);
    }
    const next = document.importNode(fresh, true);
    if (open) next.querySelector(".json-warnings")?.setAttribute("open", "");
    shown.replaceWith(next);
    if (pressed) (next.querySelector(`[name=page][value="${pressed}"]:enabled`) ?? next.querySelector("[name=page]:enabled"))?.focus();
    const words = [...next.querySelectorAll("[data-said]")].map((part) => part.textContent).join(". ");
    if (said.textContent !== words) said.textContent = words;
  }

  function selectLine(line) {
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    text.focus();
    text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
    const height = Number.parseFloat(getComputedStyle(text).lineHeight);
    text.scrollTop = Math.max(0, (line - 6) * height);
    text.scrollIntoView({ block: "nearest" });
  }

  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => text.value !== previewed && preview(), PAUSE);
  });

  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button?.value === "create") return;
    event.preventDefault();
    event.stopPropagation();
    preview(button?.name === "page" ? button.value : null);
  });

  form.addEventListener("click", (event) => {
    const link = event.target.closest("[data-line]");
    if (!link) return;
    event.preventDefault();
    selectLine(Number(link.dataset.line));
  });
})();
