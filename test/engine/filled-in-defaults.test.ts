import { expect, test } from "vitest";
import { toCheckRequest } from "../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../engine/check/check-script.ts";
import { makeDiscovery } from "../../runtime/host/discovery/make-discovery.ts";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { diffLockfiles } from "../../schemas/diff/diff-lockfiles.ts";
import { ownValue, type JsonObject } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { emitSignature } from "../../templates/emit-signature.ts";
import { emitLockfile } from "../templates/emit-lockfile.ts";
import { loadValidator } from "../templates/load-validator.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";
import { presentationOf } from "../serve/surfaces/view-of.ts";

// As the most used server of all prints it: zod 4, in output mode.
const properties = {
  scale: { type: "string", enum: ["css", "device"], default: "css" },
  parts: {
    type: "array",
    default: [],
    items: { type: "object", properties: { unit: { type: "string", default: "m" } }, required: ["unit"] },
  },
};
const screenshot = (required: string[]) => ({
  name: "screenshot",
  inputSchema: { type: "object", properties, required, additionalProperties: false },
});
const LOCKFILE = lockfileOf({ browser: [screenshot(["scale", "parts"])] });
const tool = LOCKFILE.servers.get("browser")?.tools[0] as LockedTool;
const INPUTS: JsonObject[] = [{}, { scale: "device" }, { parts: [{}] }];

async function generated(path: string): Promise<string> {
  const files = await emitLockfile(LOCKFILE);
  return files.find((file) => file.path === `browser/tools/screenshot${path}`)?.text ?? expect.fail(path);
}

test("what a server fills in is optional in the generated types and in the signature", async () => {
  const declarations = await generated(".d.ts");
  expect(declarations).toMatch(/\bscale\?: "css" \| "device";/);
  expect(declarations).toMatch(/\bunit\?: string;/);
  expect(declarations).toMatch(/function screenshot\(input\?: /);
  expect(emitSignature(tool)).toMatch(/screenshot\(input\?: .*unit\?: string.*scale\?: "css" \| "device"/);
});

test("the binding and the host let it be left out, and send nothing in its place", async () => {
  const validate = await loadValidator(await generated(".validator.js"));
  const check = makeInputCheck();
  for (const input of INPUTS) {
    const sent = structuredClone(input);
    expect(validate(sent)).toBe(true);
    expect(check(tool, sent)).toEqual([]);
    expect(sent).toEqual(input);
  }
  expect(validate({ scale: "inch" })).toBe(false);
  expect(check(tool, { scale: "inch" })).not.toEqual([]);
});

test("a script without it has no type error", async () => {
  const code = `import { screenshot } from "@codemode/servers/browser";
    await screenshot();
    await screenshot({ parts: [{}] });
    await screenshot({ scale: "inch" });`;
  const findings = await makeScriptChecker().check(toCheckRequest({ code, name: "script.ts" }, LOCKFILE));
  expect(findings.map(({ path }) => path)).toEqual([expect.stringMatching(/^script\.ts:4:/)]);
});

test("discovery and tools that are shown directly do not ask for it", async () => {
  const reply = makeDiscovery(LOCKFILE, emitSignature)("getTool", { serverId: "browser", toolName: "screenshot" });
  const described = reply.ok ? (reply.value as JsonObject)["inputSchema"] : expect.fail(reply.error.message);
  expect(described).toMatchObject({ properties: { scale: properties.scale } });
  expect(described).not.toHaveProperty("required");

  const tools = await presentationOf(LOCKFILE, { direct: ["browser/*"] }).surface.listTools();
  const listed = ownValue(tools.at(-1) ?? {}, "inputSchema");
  expect(listed).toMatchObject({ properties: { scale: properties.scale } });
  expect(listed).not.toHaveProperty("required");
});

test("a server that begins to print it as required has narrowed nothing", () => {
  const [change] = diffLockfiles(lockfileOf({ browser: [screenshot([])] }), LOCKFILE);
  expect(change).toMatchObject({
    severity: "text",
    toolsChanged: ["screenshot"],
    changes: [{ severity: "text", pointer: "/tools/screenshot", summary: "says the same in another form" }],
  });
});

test("in outputs it stays required", async () => {
  const { inputSchema } = screenshot(["scale", "parts"]);
  const lockfile = lockfileOf({ browser: [{ name: "screenshot", outputSchema: inputSchema }] });
  const files = await emitLockfile(lockfile);
  expect(files.map(({ text }) => text).join("\n")).toMatch(/\bscale: "css" \| "device";/);
});
