import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { pagePolicy } from "./guard.ts";

/** One file of the page as it is sent. */
export interface PageFile {
  headers: Record<string, string>;
  body: string;
}

/** Gives a file of the page by its path, undefined where there is none. */
export type PageFiles = (path: string) => PageFile | undefined;

const FILES: ReadonlyMap<string, { name: string; type: string }> = new Map([
  ["/", { name: "index.html", type: "text/html; charset=utf-8" }],
  ["/page.js", { name: "page.js", type: "text/javascript; charset=utf-8" }],
  ["/page.css", { name: "page.css", type: "text/css; charset=utf-8" }],
  ["/icon.svg", { name: "icon.svg", type: "image/svg+xml" }],
]);

/** Where the build puts them (`scripts/build-ui.js`), seen from the compiled files; the sources lie elsewhere. */
const COMPILED = new URL("../../../../ui-page/", import.meta.url);
const BESIDE_SOURCES = new URL("../../../../dist/ui-page/", import.meta.url);

/** Reads the files of the page once. */
export function readPageFiles(): PageFiles {
  const folder = existsSync(COMPILED) ? COMPILED : BESIDE_SOURCES;
  const files = new Map(
    [...FILES].map(([path, { name, type }]) => [path, { type, body: readFileSync(new URL(name, folder), "utf8") }]),
  );
  return (path) => {
    const file = files.get(path);
    if (file === undefined) return undefined;
    const headers = { "content-type": file.type };
    if (path !== "/") return { headers, body: file.body };
    const nonce = randomBytes(16).toString("base64");
    return {
      headers: { ...headers, "content-security-policy": pagePolicy(nonce) },
      body: file.body.replace("NONCE", nonce),
    };
  };
}
