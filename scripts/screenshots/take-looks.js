import { join } from "node:path";

/** Width and height of the window. */
export const WINDOWS = [
  { width: 1280, height: 900 },
  { width: 400, height: 800 },
];
export const SCHEMES = ["light", "dark"];

/** The name of a picture, without its ending. */
export function nameOf(state, scheme, width) {
  return `${state}-${scheme}-${width}`;
}

/**
 * Takes the pictures of what a page shows now: each width in each scheme.
 * @param isWhole also what is below the end of the window; a dialog is in the middle of it
 */
export async function takeLooks(page, { state, all, isWhole }) {
  for (const { width, height } of WINDOWS) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // The editor is measured in the next frame.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      const excess = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      if (excess > 0) throw new Error(`${state} is ${excess} pixels wider than a window of ${width} pixels.`);
      // In a wide window each column scrolls by itself.
      const below = await page.evaluate(
        `document.querySelector(".columns") === null || innerWidth < 680 ? 0 : document.documentElement.scrollHeight - innerHeight`,
      );
      if (below > 0) throw new Error(`${state} is ${below} pixels higher than its window.`);
      await page.screenshot({ path: join(all, `${nameOf(state, colorScheme, width)}.png`), fullPage: isWhole });
    }
  }
}
