import { browser_evaluate, browser_navigate } from "@codemode/servers/browser";
import { write_file } from "@codemode/servers/files";
import { create_entities } from "@codemode/servers/memory";

const READ = `() => [...document.querySelectorAll("tr.product")].map((row) => [...row.cells].map((cell) => cell.textContent))`;

const products: { name: string; price: number }[] = [];
for (const page of [1, 2, 3]) {
  await browser_navigate({ url: `{site}/catalogue?page=${page}` });
  const answer = String(await browser_evaluate({ function: READ }));
  const rows = JSON.parse(/### Result\n([\s\S]*?)\n### /.exec(answer)?.[1] ?? "") as [string, string][];
  products.push(...rows.map(([name, price]) => ({ name, price: Number(price) })));
}
const offers = products.filter(({ price }) => price < 20);
await Promise.all([
  create_entities({
    entities: offers.map(({ name, price }) => ({ name, entityType: "offer", observations: [`costs ${price}`] })),
  }),
  write_file({ path: "reports/catalogue.txt", content: products.map(({ name }) => name).join("\n") }),
]);
export default offers.length;
