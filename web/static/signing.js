// Progress, mirrored signatures and focus on the signing page. The form works without it.
"use strict";

(() => {
  const form = document.getElementById("signing");
  const text = document.getElementById("signature-text");
  const problems = document.getElementById("problems");
  const progress = document.getElementById("progress");
  let last = null; // the input that had the focus last

  // "Date signed" is the day in the time zone of the browser; if it names none, in that of the organisation.
  form.elements.timeZone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

  const isChosenOnly = (control) => control.type === "checkbox" || control.type === "radio";
  const holds = (control) =>
    !control.closest("[data-typed][hidden], [data-drawn][hidden]") && (isChosenOnly(control) ? control.checked : Boolean(control.value.trim()));
  const isEmpty = (input) => ![...input.querySelectorAll("[data-value]")].some(holds);

  function countLeft() {
    const required = [...form.querySelectorAll("[data-required]")];
    const isWrong = (input) => input.classList.contains("wrong");
    const left = [...form.querySelectorAll("[data-input]")].filter((input) => isWrong(input) || (required.includes(input) && isEmpty(input)));
    const done = required.filter((input) => !left.includes(input)).length;
    const wrong = left.filter((input) => isWrong(input) && !isEmpty(input)).length;
    const words = progress.dataset;
    const next = progress.querySelector("a");
    progress.hidden = !form.querySelector("[data-input]");
    const status = [
      left.length > wrong || done < required.length ? words.left.replace("{done}", done).replace("{count}", required.length) : "",
      wrong ? words.wrong.replace("{count}", wrong) : "",
    ];
    progress.querySelector("p").textContent = left.length ? status.filter(Boolean).join(" · ") : words.done;
    // The link leads to the first such input after the focus, or else to the first of all.
    const after = left.find((input) => last && last.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING);
    next.textContent = left.length ? next.dataset.next : next.dataset.sign;
    next.hash = left.length ? (after ?? left[0]).dataset.input : "signature";
  }

  // The name that was filled in for the recipient is shown as a signature once the recipient focuses or changes it.
  const isPrefilled = () => form.elements.signatureKind.value === "typed" && "prefilled" in text.dataset;
  for (const name of ["input", "focusin"]) {
    document.getElementById("typed").addEventListener(name, (event) => {
      if (!event.isTrusted || !("prefilled" in text.dataset)) return;
      delete text.dataset.prefilled;
      if (event.target === text && name === "focusin") text.select();
      mirror();
    });
  }

  // Shows how many of the characters that fit into a field are used; in a single line, only from 70 % on.
  function tellRoom(line) {
    const { room, used, over } = line.dataset;
    const control = line.parentElement.querySelector("textarea, input.line-input");
    const count = [...control.value].length;
    const isOver = count > room;
    line.textContent = (isOver ? over : used).replace("{used}", count).replace("{room}", room);
    line.hidden = control.matches("input") && count < room * 0.7;
    if (isOver && !line.classList.contains("over")) document.getElementById("announcer").textContent = line.textContent;
    line.classList.toggle("over", isOver);
  }
  const rooms = [...form.querySelectorAll("[data-room]")];

  // Marks the heading of the part that is being read.
  const outline = document.getElementById("outline");
  const parts = new Map([...(outline?.querySelectorAll("a") ?? [])].map((link) => [document.getElementById(link.hash.slice(1)), link]));
  const markPlace = () => {
    const seen = [...parts.keys()].filter((part) => part.checkVisibility() && part.getBoundingClientRect().top < innerHeight / 3);
    for (const [part, link] of parts) {
      if (part === seen.at(-1)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  if (outline) document.addEventListener("scroll", () => requestAnimationFrame(markPlace), { passive: true });

  // Shows the present signature in the signature blocks of the documents.
  function mirror() {
    const signature = document.getElementById("signature");
    const part = signature.querySelector(`[data-${form.elements.signatureKind.value}]`);
    const preview = part.querySelector("[data-preview] img")?.src ?? "";
    const source = part.querySelector("[data-ink]")?.dataset.shown ?? part.querySelector("[data-picture]")?.value ?? preview;
    for (const line of document.querySelectorAll("[data-mirror]")) {
      const link = line.firstElementChild;
      link.dataset.words ??= link.textContent;
      link.classList.remove("script");
      link.textContent = link.dataset.words;
      if (source.startsWith("data:image/") && !isPrefilled()) {
        const picture = document.createElement("img");
        picture.src = source;
        picture.alt = link.dataset.words;
        link.replaceChildren(picture);
      } else if (part.matches("[data-typed]") && text.value.trim() && !isPrefilled()) {
        link.textContent = text.value;
        link.classList.add("script");
      }
    }
  }

  form.addEventListener("problems", countLeft);
  form.addEventListener("focusin", (event) => {
    last = event.target.closest("[data-input]") ?? last;
    countLeft();
  });
  form.addEventListener("input", (event) => {
    const room = event.target.closest("[data-input]")?.querySelector("[data-room]");
    if (room) tellRoom(room);
    countLeft();
    mirror();
  });
  // An optional choice can be cleared.
  for (const button of form.querySelectorAll("[data-unchoose]")) {
    const radios = [...button.closest("[data-input]").querySelectorAll("[type=radio]")];
    const show = () => {
      button.hidden = !radios.some((radio) => radio.checked);
    };
    button.addEventListener("click", () => {
      for (const radio of radios) radio.checked = false;
      radios[0].focus();
      radios[0].dispatchEvent(new Event("input", { bubbles: true }));
    });
    form.addEventListener("input", show);
    window.addEventListener("pageshow", show);
  }
  // Focuses an input in the view that is shown.
  function seek(id) {
    if (!form.dispatchEvent(new CustomEvent("seek", { detail: id, cancelable: true }))) return;
    const wanted = document.getElementById(id);
    const target = wanted.closest("[hidden]") ? document.getElementById(`${id}-canvas`) : wanted;
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  }
  for (const link of [progress.querySelector("a"), ...(problems?.querySelectorAll("a") ?? [])]) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      seek(event.currentTarget.hash.slice(1));
    });
  }
  // The key Enter, "next" on the keyboards of phones, leads to the next input instead of sending the form.
  const inputs = [...form.querySelectorAll("[data-input]")];
  form.addEventListener("keydown", (event) => {
    const at = inputs.indexOf(event.target.closest("[data-input]"));
    if (event.key !== "Enter" || event.isComposing || at < 0 || !event.target.matches("input.line-input")) return;
    event.preventDefault();
    seek(inputs[at + 1]?.dataset.input ?? "signature");
  });
  window.addEventListener("pageshow", () => {
    rooms.forEach(tellRoom);
    countLeft();
    mirror();
  });
  // Hides the bar once the end of the form is visible.
  new IntersectionObserver(([entry]) => {
    progress.classList.toggle("away", entry.isIntersecting);
  }).observe(document.getElementById("signature"));
  // Other scripts, which replace the focus in the page view, run before this event.
  document.addEventListener("DOMContentLoaded", () => {
    const first = problems?.querySelector("a");
    if (first) seek(first.hash.slice(1));
    else problems?.focus();
  });
})();
