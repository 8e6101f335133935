// Accepts files dropped anywhere on the page, and shows progress. The form works without it.
(() => {
  const form = document.querySelector("form[data-busy]");
  const input = form.querySelector("input[type=file]");
  const drop = form.querySelector(".drop");
  const button = form.querySelector("button");
  const problem = document.getElementById("file-problem");
  const most = 25e6;
  const label = button.textContent;
  let depth = 0;

  const hasFiles = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");

  function show(message) {
    problem.textContent = message;
    problem.hidden = !message;
    drop.classList.toggle("wrong", Boolean(message));
    if (message) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }

  function isTooLarge() {
    return [...input.files].reduce((sum, file) => sum + file.size, 0) > most;
  }

  document.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    drop.classList.toggle("over", depth > 0);
  });
  document.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    drop.classList.remove("over");
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });

  input.addEventListener("change", () => show(""));
  form.addEventListener("submit", (event) => {
    if (isTooLarge()) {
      event.preventDefault();
      show(form.dataset.tooLarge);
      input.focus();
      return;
    }
    button.textContent = form.dataset.busy;
    button.setAttribute("aria-busy", "true");
  });
  window.addEventListener("pageshow", () => {
    button.textContent = label;
    button.removeAttribute("aria-busy");
  });
})();
