// The page "Appearance": a colour picker beside the text input, and examples that follow it.
"use strict";

(() => {
  const input = document.getElementById("accent");
  const style = document.getElementById("example-style");
  const picker = document.createElement("input");
  picker.type = "color";
  picker.className = "picker";
  picker.value = input.dataset.default;
  picker.setAttribute("aria-label", input.dataset.picker);
  const both = document.createElement("div");
  both.className = "with-picker";
  input.replaceWith(both);
  both.append(input, picker);

  function show() {
    const found = /^#?([0-9a-f]{6})$/i.exec(input.value.trim() || input.dataset.default);
    if (!found) return;
    const colour = found[1].toLowerCase();
    picker.value = `#${colour}`;
    const address = `/accents/${colour}/example.css`;
    if (style.getAttribute("href") !== address) style.setAttribute("href", address);
  }

  input.addEventListener("input", show);
  picker.addEventListener("input", () => {
    input.value = picker.value;
    show();
  });
  show();
})();
