import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { ENTRY, readModulePrograms, writeModulePrograms } from "./read-module-programs.ts";
import { runInNode } from "./run-in-node.ts";
import { runInSandbox } from "./run-in-sandbox.ts";

test("modules compute in the sandbox what they compute in plain Node", { timeout: 120_000 }, async () => {
  const root = mkdtempSync(join(tmpdir(), "codemode-modules-"));
  try {
    const programs = readModulePrograms();
    const folders = writeModulePrograms(programs, root);
    const [inNode, inSandbox] = await Promise.all([
      runInNode(folders.map((folder) => pathToFileURL(join(folder, ENTRY)))),
      runInSandbox(
        programs.map(({ files }, index) => ({ code: files.get(ENTRY) ?? "", folder: folders[index] ?? "" })),
      ),
    ]);
    const compared = programs.map(({ name, difference }, index) => ({
      name,
      difference,
      node: withoutFolder(inNode[index]),
      sandbox: withoutFolder(inSandbox[index]),
    }));
    const differs = ({ node, sandbox }: (typeof compared)[number]): boolean => node !== sandbox;
    expect(compared.filter((one) => one.difference === undefined && differs(one))).toEqual([]);
    expect(compared.filter((one) => one.difference !== undefined && !differs(one))).toEqual([]);
    expect(programs.length).toBeGreaterThanOrEqual(40);
  } finally {
    rmSync(root, { recursive: true });
  }

  /** What a program came to, as a text. */
  function withoutFolder(outcome: { kind: string; text: string } | undefined): string {
    return `${outcome?.kind}: ${outcome?.text}`.replaceAll(/file:\S*\//g, "");
  }
});
