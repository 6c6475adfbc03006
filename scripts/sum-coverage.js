import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** The layers are the TypeScript projects, in their order of the data flow. */
const { references } = JSON.parse(readFileSync(new URL("../tsconfig.json", import.meta.url), "utf8"));
const LAYERS = references.map(({ path }) => path.replace(/^\.\//, ""));

/** Sums a coverage summary (of absolute paths) by layer: each file counts in the innermost layer that holds it. */
export function sumByLayer(summary, root) {
  const sums = LAYERS.map((layer) => ({ layer, files: 0, lines: [0, 0], branches: [0, 0] }));
  for (const [path, { lines, branches }] of Object.entries(summary)) {
    const file = relative(root, path).replaceAll("\\", "/");
    const holders = sums.filter(({ layer }) => file.startsWith(`${layer}/`));
    const sum = holders.toSorted((a, b) => b.layer.length - a.layer.length)[0];
    if (sum === undefined) continue;
    sum.files += 1;
    add(sum.lines, lines);
    add(sum.branches, branches);
  }
  return sums.filter(({ files }) => files > 0);
}

function add(sum, { covered, total }) {
  sum[0] += covered;
  sum[1] += total;
}

/** A Markdown table, with a dash for a layer without branches. */
export function printCoverage(layers) {
  const rows = layers.map(
    ({ layer, files, lines, branches }) => `| \`${layer}/\` | ${files} | ${share(lines)} | ${share(branches)} |`,
  );
  return ["| layer | files | lines | branches |", "| --- | ---: | ---: | ---: |", ...rows].join("\n");
}

function share([covered, total]) {
  return total === 0 ? "–" : `${Math.round((100 * covered) / total)} %`;
}
