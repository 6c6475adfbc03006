import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, parsePage } from "./parse-page.ts";

/** A page of the documentation with its text. */
export interface WrittenPage extends Page {
  text: string;
}

const AT_THE_ROOT = [
  "README.md",
  "SECURITY.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "examples/README.md",
  "runtime/bindings/README.md",
  "openapi/README.md",
  "bench/tasks/README.md",
];

/** All pages by their path: everything below docs/, and pages elsewhere. */
export function readPages(): Map<string, WrittenPage> {
  const docs = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  const paths = [
    ...AT_THE_ROOT.filter((path) => existsSync(path)),
    ...docs.toSorted().map((path) => join("docs", path)),
  ];
  return new Map(
    paths.map((path) => {
      const text = readFileSync(path, "utf8");
      return [path, { text, ...parsePage(text) }];
    }),
  );
}
