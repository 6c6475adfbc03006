import assert from "node:assert/strict";
import { CATALOGUE } from "../world/start-site.js";

export const task = {
  title: "Prices in two places",
  size: "complex",
  calls: "independent",
  text: 'Open {site}/catalogue?page=1, ?page=2 and ?page=3 in the browser; each row tr.product has a name and a price. Remember each product that costs less than 20 as an entity of the type "offer" in the knowledge graph, with the observation "costs PRICE", and write the names of all products to reports/catalogue.txt, one on each line in the order of the pages. Return the number of offers.',
  tools: {
    "browser/browser_navigate": "navigate browser to url",
    "browser/browser_evaluate": "evaluate javascript on page",
    "memory/create_entities": "create entities in knowledge graph",
    "files/write_file": "write file",
  },
  async check({ result, world }) {
    const offers = CATALOGUE.filter(({ price }) => price < 20);
    assert.equal(result, offers.length);
    assert.equal(world.read("reports/catalogue.txt").trim(), CATALOGUE.map(({ name }) => name).join("\n"));
    const entities = (await world.memory()).map(({ name, entityType, observations }) => [
      name,
      entityType,
      observations,
    ]);
    assert.deepEqual(
      new Set(entities.map(String)),
      new Set(offers.map(({ name, price }) => [name, "offer", [`costs ${price}`]].map(String).join(","))),
    );
  },
};
