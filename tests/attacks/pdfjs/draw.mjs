// Draws the first pages of PDFs in PDF.js, the reader of Firefox.
// Usage: draw.mjs NODE_MODULES PAGES FOLDER FILE...; writes FOLDER/<index of the file>-<page>.png.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, pages, folder, ...files] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { createCanvas, DOMMatrix, ImageData, Path2D } = require("@napi-rs/canvas");
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D });
const library = `${modules}/pdfjs-dist`;
const { getDocument, VerbosityLevel } = await import(pathToFileURL(`${library}/legacy/build/pdf.mjs`));

async function draw(index, file) {
  const task = getDocument({
    data: new Uint8Array(await readFile(file)),
    cMapUrl: `${library}/cmaps/`,
    standardFontDataUrl: `${library}/standard_fonts/`,
    wasmUrl: `${library}/wasm/`,
    iccUrl: `${library}/iccs/`,
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const pdf = await task.promise;
    for (let number = 1; number <= Math.min(pdf.numPages, Number(pages)); number++) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const canvas = createCanvas(Math.min(Math.round(viewport.width), 4000), Math.min(Math.round(viewport.height), 4000));
      await page.render({ canvas, canvasContext: canvas.getContext("2d"), viewport, background: "white" }).promise;
      await writeFile(`${folder}/${index}-${number}.png`, canvas.toBuffer("image/png"));
    }
  } catch (error) {
    process.stderr.write(`${file}: ${error}\n`);
  } finally {
    await task.destroy();
  }
}

for (const [index, file] of files.entries()) await draw(index, file);
process.exit(0);
