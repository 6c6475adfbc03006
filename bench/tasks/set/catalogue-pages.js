import assert from "node:assert/strict";
import { CATALOGUE } from "../world/start-site.js";

export const task = {
  title: "Pages of a catalogue",
  size: "simple",
  calls: "iterative",
  text: "The catalogue at {site}/catalogue has several pages; the link #next leads to the next one. Each row tr.product has a name and a price. Open them in the browser and return { products, dearest }: how many products there are, and the name of the one with the highest price.",
  tools: {
    "browser/browser_navigate": "navigate browser to url",
    "browser/browser_evaluate": "evaluate javascript on page",
  },
  check({ result }) {
    const [dearest] = CATALOGUE.toSorted((left, right) => right.price - left.price);
    assert.deepEqual(result, { products: CATALOGUE.length, dearest: dearest.name });
  },
};
