"use strict";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const setColours = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", setColours);
setColours();

window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  tryItOutEnabled: false,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelRendering: "model",
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  syntaxHighlight: { theme: "idea" },
  validatorUrl: null,
});
