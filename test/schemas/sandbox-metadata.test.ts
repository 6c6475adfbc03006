import { expect, test } from "vitest";
import { toSandboxSettings } from "../../schemas/config/sandbox-settings.ts";
import { describeSandbox } from "../../schemas/run/sandbox-metadata.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";

test("what a level or a command does not guarantee is in the metadata of answers", () => {
  expect(describeSandbox(toSandboxSettings({}))).toBeUndefined();
  expect(describeSandbox(toSandboxSettings({ isolation: "realm" }))).toEqual({
    isolation: "realm",
    notGuaranteed: ["a process for each run"],
  });
  const sandbox = describeSandbox(toSandboxSettings({ isolation: "compartment", command: ["runsc", "do"] }));
  expect(sandbox?.["notGuaranteed"]).toEqual([
    ...["a process for each run", "intrinsics for each run"],
    ...["namespaces", "privileges", "resource limits of the kernel"],
  ]);
  const answer = { logs: [], result: null, diagnostics: [], toolTrace: [] };
  expect(toRunResult({ ...answer, sandbox })).toMatchObject({ _meta: { "dev.codemode/sandbox": sandbox } });
  expect(toRunResult(answer)).not.toHaveProperty("_meta");
});
