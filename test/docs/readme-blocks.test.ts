import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PAGE_TIMEOUT_MS, runPage } from "./run-page.ts";

// The clone is this repository, built: `npm ci` and `npm pack` are run by CI and by the test of publishing.
const inTheClone = (command: string): boolean => /npm (?:ci|pack)/.test(command);

test(
  "the blocks of the README run as they are written, in an empty folder",
  async () => {
    const readme = await readFile("README.md", "utf8");
    const asks = '\n```console\n$ grep -o \'"command": *"[a-z]*"\' .mcp.json\n...\n$ ls\n...\nnotes\n...\n```\n';
    expect(await runPage(`${readme}${asks}`, { leaveOut: inTheClone, stepTimeoutMs: 60_000 })).toEqual([]);
  },
  PAGE_TIMEOUT_MS,
);
