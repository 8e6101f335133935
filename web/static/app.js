// Times in the reader's time zone, single submission of forms, and live updates of the page.
"use strict";

(() => {
  const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

  // Days of the calendar in the reader's time zone: a deadline at 1 o'clock is tomorrow's at 23 o'clock, two hours before.
  const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate());
  const daysUntil = (at) => Math.round((midnight(at) - midnight(new Date())) / 86_400_000);
  const inDays = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const dates = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

  function localise(root) {
    for (const time of root.querySelectorAll("time[data-relative]:not([data-local])")) {
      time.title = time.querySelector(".sr-only").textContent = moments.format(new Date(time.dateTime));
      const words = time.querySelector("[aria-hidden]");
      const days = daysUntil(new Date(time.dateTime));
      if (time.dataset.relative === "days") words.textContent = days > 6 || days < -6 ? dates.format(new Date(time.dateTime)) : inDays.format(days, "day");
      time.dataset.local = "";
    }
    for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
      time.title = time.textContent;
      time.textContent = moments.format(new Date(time.dateTime));
      time.dataset.local = "";
    }
  }

  document.querySelector("input[autofocus][aria-invalid]")?.select();
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button) return;
    if (button.getAttribute("aria-busy") === "true") event.preventDefault();
    else if (event.target.method === "post") button.setAttribute("aria-busy", "true");
  });
  // A page restored from the back/forward cache has no request in progress.
  window.addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  });
  // Live updates: fetches the page at intervals and replaces regions that have changed.
  const held = new Map();

  function isBusy(region) {
    const chosen = document.getSelection();
    const isReading = chosen && !chosen.isCollapsed && region.contains(chosen.anchorNode);
    return isReading || region.querySelector(":active, [aria-busy=true], [name=session]:checked"); // a button is pressed or busy, or rows are selected
  }

  async function look(region, seconds) {
    try {
      if (document.visibilityState === "visible" && !isBusy(region)) {
        const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
        if (answer.redirected || answer.status === 404) location.reload();
        else if (answer.ok) region = renew(region, await answer.text());
      }
    } catch {
      // Offline; the next fetch may succeed.
    }
    setTimeout(look, seconds * 1000, region, seconds);
  }

  function renew(region, html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(region.id);
    if (!fresh || held.get(region.id) === fresh.outerHTML || isBusy(region)) return region;
    held.set(region.id, fresh.outerHTML);
    const focused = region.contains(document.activeElement) ? pathTo(document.activeElement) : null;
    const next = document.importNode(fresh, true);
    for (const { id, open } of region.querySelectorAll("details[id]")) {
      const same = next.querySelector(`#${CSS.escape(id)}`);
      if (same) same.open = open;
    }
    localise(next);
    region.replaceWith(next);
    tellChosen();
    if (focused) next.querySelector(focused)?.focus({ preventScroll: true });
    return next;
  }

  // A selector that finds an element again: a link by its address, a button by the action of its form.
  function pathTo(element) {
    if (element.matches("a[href]")) return `a[href="${CSS.escape(element.getAttribute("href"))}"]`;
    const form = element.closest("form[action]");
    return form ? `form[action="${CSS.escape(form.getAttribute("action"))}"] button` : "body";
  }

  for (const region of document.querySelectorAll("[data-live]")) {
    held.set(region.id, region.outerHTML);
    const seconds = Number(region.dataset.live);
    setTimeout(look, seconds * 1000, region, seconds);
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = !navigator.clipboard; // absent on plain http
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = button.dataset.copied;
    });
  }
  // A menu closes with Escape, and when something else is pressed or focused.
  function closeMenus(keep) {
    for (const menu of document.querySelectorAll(".menu[open]")) menu.open = menu.contains(keep);
  }
  for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, (event) => closeMenus(event.target));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]");
    if (!menu) return;
    menu.querySelector("summary").focus();
    menu.open = false;
  });
  // The bar of the selected rows. Without this script it is always visible.
  function tellChosen() {
    const boxes = [...document.querySelectorAll("[name=session][form]")];
    const bar = document.getElementById("bulk");
    if (!bar) return;
    const count = boxes.filter((box) => box.checked).length;
    const words = bar.querySelector("[data-chosen]");
    const all = document.querySelector("[data-choose-all]");
    words.textContent = words.dataset.chosen.replace("{count}", count);
    all.parentElement.hidden = false;
    all.checked = count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
    bar.hidden = !count;
  }
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-choose-all]")) {
      for (const box of document.querySelectorAll("[name=session][form]")) box.checked = event.target.checked;
    }
    if (event.target.matches("[data-choose-all], [name=session]")) tellChosen();
  });
  window.addEventListener("pageshow", tellChosen);
  // Replaces the history entry, so that a reload or the Back button neither posts a form again nor repeats a flash message.
  // A page with an editor keeps its entry, and with it the text.
  const address = new URL(document.querySelector("[data-address]")?.dataset.address ?? location.href, location.href);
  for (const name of ["done", "error", "bulk", "count", "left"]) address.searchParams.delete(name);
  if (!document.querySelector(".editor")) history.replaceState(null, "", address);
  localise(document);
})();
