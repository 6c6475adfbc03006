import { browser_evaluate, browser_navigate } from "@codemode/servers/browser";

const READ = `() => ({
  rows: [...document.querySelectorAll("tr.product")].map((row) => [...row.cells].map((cell) => cell.textContent)),
  next: document.querySelector("#next")?.href ?? null,
})`;

const products: { name: string; price: number }[] = [];
let url: string | null = "{site}/catalogue";
while (url !== null) {
  await browser_navigate({ url });
  const answer = String(await browser_evaluate({ function: READ }));
  const page = JSON.parse(/### Result\n([\s\S]*?)\n### /.exec(answer)?.[1] ?? "") as {
    rows: [string, string][];
    next: string | null;
  };
  products.push(...page.rows.map(([name, price]) => ({ name, price: Number(price) })));
  url = page.next;
}
const [dearest] = products.toSorted((left, right) => right.price - left.price);
export default { products: products.length, dearest: dearest?.name };
