import { expect, test } from "vitest";
import { DIFFERENCES } from "./differences.ts";
import { readModulePrograms } from "./read-module-programs.ts";
import { readPrograms } from "./read-programs.ts";
import { runInNode } from "./run-in-node.ts";
import { runInSandbox } from "./run-in-sandbox.ts";

test("a program computes in the sandbox what it computes in plain Node", { timeout: 120_000 }, async () => {
  const programs = readPrograms();
  const codes = programs.map(({ code }) => code);
  const [inNode, inSandbox] = await Promise.all([runInNode(codes), runInSandbox(programs)]);
  const compared = programs.map((program, index) => ({ ...program, node: inNode[index], sandbox: inSandbox[index] }));
  const differs = ({ node, sandbox }: (typeof compared)[number]): boolean =>
    node?.kind !== sandbox?.kind || node?.text !== sandbox?.text;
  const toReport = ({ place, text, node, sandbox }: (typeof compared)[number]) => ({ place, text, node, sandbox });
  expect(compared.filter((one) => one.difference === undefined && differs(one)).map(toReport)).toEqual([]);
  expect(compared.filter((one) => one.difference !== undefined && !differs(one)).map(toReport)).toEqual([]);
  const shown = [...programs, ...readModulePrograms()].map(({ difference }) => difference);
  expect(new Set(shown)).toEqual(new Set([undefined, ...DIFFERENCES.map(({ name }) => name)]));
  expect(programs.length).toBeGreaterThanOrEqual(600);
});
