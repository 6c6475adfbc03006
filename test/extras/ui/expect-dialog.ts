import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { findViolations } from "../../browser/find-violations.ts";

/** Which of the elements of the open dialog has the focus. */
const FOCUSED_CONTROL = `[...document.querySelectorAll("dialog[open] *")].indexOf(document.activeElement)`;

/**
 * Holds an open dialog to what a person needs who has a keyboard or a screen reader alone: the focus is on the button that changes nothing,
 * Tab stays inside and reaches every control, in both directions; it has a name and a description; axe finds nothing, in light and dark.
 */
export async function expectDialog(page: Page, name: string | RegExp, safe: string): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name });
  await dialog.waitFor();
  const focused = page.locator(":focus");
  expect(await focused.innerText()).toBe(safe);
  const described = (await dialog.getAttribute("aria-describedby")) ?? "";
  expect(await page.locator(`#${described}`).innerText()).not.toBe("");

  const stops = await dialog.locator("button, input, select, textarea, [tabindex='0']").count();
  for (const key of ["Tab", "Shift+Tab"]) {
    const reached = new Set<unknown>();
    for (let times = 0; times < stops; times += 1) {
      await page.keyboard.press(key);
      expect(await dialog.locator(":focus").count()).toBe(1);
      reached.add(await page.evaluate(FOCUSED_CONTROL));
    }
    expect(reached.size).toBe(stops);
    expect(await focused.innerText()).toBe(safe);
  }
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page)).toEqual([]);
  }
  return dialog;
}
