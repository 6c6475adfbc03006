import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nameOf, SCHEMES, WINDOWS } from "./take-looks.js";

/** Width of a picture on the sheet, by the width of its window; below so many pixels the rest of a long one is left out. */
const SHOWN_WIDTHS = { 1280: 480, 400: 150 };
const MAX_HEIGHT = 300;

/** Puts all pictures of a set on one sheet, a row for each state. */
export async function makeSheet(browser, { name, states, all, images }) {
  const rows = await Promise.all(states.map(async (state) => printRow(state, await readPictures(state, all))));
  const page = await browser.newPage({ viewport: { width: 1330, height: 400 } });
  await page.setContent(`<!doctype html><html lang="en"><title>${name}</title><style>
    body { margin: 16px; background: #8a919c; font: 13px system-ui, sans-serif; }
    h2 { margin: 12px 0 4px; font-size: 13px; }
    div { display: flex; gap: 12px; align-items: flex-start; }
    img { object-fit: cover; object-position: top; max-height: ${MAX_HEIGHT}px; }
  </style>${rows.join("")}`);
  await page.evaluate("Promise.all([...document.images].map((image) => image.decode()))");
  await page.screenshot({ path: join(images, `${name}-states.png`), fullPage: true });
  await page.close();
}

function readPictures(state, all) {
  const looks = WINDOWS.flatMap(({ width }) => SCHEMES.map((scheme) => ({ width, scheme })));
  return Promise.all(
    looks.map(async ({ width, scheme }) => {
      const bytes = await readFile(join(all, `${nameOf(state, scheme, width)}.png`));
      return { bytes, width: SHOWN_WIDTHS[width], label: `${state}, ${scheme}, ${width} pixels` };
    }),
  );
}

function printRow(state, pictures) {
  const shown = pictures.map(
    ({ bytes, width, label }) =>
      `<img alt="${label}" width="${width}" src="data:image/png;base64,${bytes.toString("base64")}">`,
  );
  return `<h2>${state}</h2><div>${shown.join("")}</div>`;
}
