import { rollup } from "rollup";
import { describe, expect, it } from "vitest";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { emitLockfile } from "./emit-lockfile.ts";
import { emitServer } from "../../templates/emit.ts";
import { GENERATOR_VERSION, type GeneratedFile } from "../../templates/generated-package.ts";
import { emitDeclarations } from "../../templates/emit.ts";
import { planServer } from "../../templates/plan.ts";
import { goldenFiles as files, goldenLockfile as lockfile } from "./golden-package.ts";
import { lockedServer, lockfileOf } from "./lockfile-of.ts";

const text = { type: "string" };

describe("emission", () => {
  it("gives the same bytes for every order of servers and tools", async () => {
    const reversed = [...lockfile.servers]
      .toReversed()
      .map(([id, server]) => [id, { ...server, tools: server.tools.toReversed() }] as const);
    expect(await emitLockfile({ servers: new Map(reversed) })).toEqual(files);
  });

  it("emits a server alone as it does among others", async () => {
    const alone = await emitServer(planServer(lockfile.servers.get("filesystem") as LockedServer));
    expect(alone).toEqual(files.filter((file) => file.path.startsWith("filesystem/")));
  });

  it("makes a tool's files depend on that tool alone, but for its name", async () => {
    const tool = { name: "kept", inputSchema: { type: "object", properties: { a: text } } };
    const toolFiles = async (others: string[]): Promise<GeneratedFile[]> => {
      const server = lockedServer("a", [tool, ...others.map((name) => ({ name, inputSchema: { type: "object" } }))]);
      const emitted = await emitServer(planServer(server));
      return emitted.filter((file) => file.path.startsWith("a/tools/kept."));
    };
    expect(await toolFiles(["another", "zebra"])).toEqual(await toolFiles([]));
  });

  it("prints what tools share as it prints each alone", async () => {
    const named = (name: string): object => ({
      type: "object",
      properties: { next: { $ref: `#/$defs/${name}` }, text },
    });
    const schema = (name: string, example: string): object => ({
      ...{ type: "object", properties: { node: { $ref: `#/$defs/${name}` } }, required: ["node"] },
      ...{ examples: [{ node: { text: example } }], $defs: { [name]: named(name) } },
    });
    const tools = ["one", "two", "three"].map((name, index) => {
      const both = schema(index === 2 ? "Other" : "Node", index === 1 ? "b" : "a");
      return { name, inputSchema: both, outputSchema: both };
    });
    const alone = await Promise.all(tools.map((tool) => emitServer(planServer(lockedServer("a", [tool])))));
    const together = await emitServer(planServer(lockedServer("a", tools)));
    const ofTools = (emitted: readonly GeneratedFile[]) => emitted.filter(({ path }) => path.startsWith("a/tools/"));
    expect(ofTools(together)).toEqual(expect.arrayContaining(alone.flatMap(ofTools)));
    expect(together.find(({ path }) => path === "a/tools/three.d.ts")?.text).toContain("next?: ThreeInputOther;");
  });

  it("imports the runtime and nothing else from outside", () => {
    const outside = files
      .filter((file) => file.path.endsWith(".js"))
      .flatMap((file) => [...file.text.matchAll(/^(?:import|export) .* from "(.*)";$/gm)])
      .map(([, from]) => from)
      .filter((from) => !from?.startsWith("./"));
    expect(new Set(outside)).toEqual(new Set(["@codemode/runtime/v1"]));
  });

  it("prints validators that import nothing and compile nothing", () => {
    const validators = files.filter((file) => file.path.endsWith(".validator.js"));
    const suspicious = /^import |= require\(|\beval\(|\bnew Function\b/m;
    expect(validators.length).toBeGreaterThan(100);
    expect(validators.filter((file) => suspicious.test(file.text)).map((file) => file.path)).toEqual([]);
  });

  it("writes what the bundler needs: which module is which tool, and what it was made from", async () => {
    const server = lockedServer("a", [{ name: "get-it", inputSchema: { type: "object" } }]);
    const emitted = await emitServer(planServer(server));
    const index = emitted.find((file) => file.path === "a/tools.json");
    expect(JSON.parse(index?.text ?? "")).toEqual({
      serverId: "a",
      serverIntegrity: server.integrity,
      generatorVersion: GENERATOR_VERSION,
      tools: { get_it: { toolName: "get-it", module: "tools/get_it.js", integrity: server.tools[0]?.integrity } },
    });
  });
});

describe("a bundle of one binding out of 40", () => {
  it("carries nothing of the other 39", async () => {
    const tools = Array.from({ length: 40 }, (_item, index) => ({
      name: `tool_${index}`,
      description: `Marked ${index}.`,
      inputSchema: { type: "object", properties: { [`marked_${index}`]: { type: "string", minLength: 2 } } },
    }));
    const emitted = await emitLockfile(lockfileOf({ big: tools }));
    const code = await bundle('export { tool_7 } from "./big/index.js";', emitted);
    const marks = code.match(/\b(?:tool|marked)_\d+/g) ?? [];
    expect(new Set(marks)).toEqual(new Set(["tool_7", "marked_7"]));
    expect(code).not.toContain("Marked");
  });
});

describe("emitDeclarations", () => {
  it("prints a server, or some tools of it, as one ambient module", async () => {
    const plan = planServer(
      lockedServer("notes", [
        { name: "add", inputSchema: { type: "object", properties: { text }, required: ["text"] } },
        { name: "list", inputSchema: { type: "object", additionalProperties: false } },
      ]),
    );
    expect(await emitDeclarations(plan)).toContain("export function add(input: AddInput): Promise<AddOutput>;");
    expect(await emitDeclarations(plan, plan.tools.slice(1))).toBe(`declare module "@codemode/servers/notes" {
  type McpResult = { content: { type: string; text?: string; data?: string; mimeType?: string; uri?: string }[] };

  export interface ListInput {
    [k: string]: never;
  }

  /** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
  export type ListOutput = string | McpResult;

  /**
   * @throws {SchemaValidationError} The input does not match the schema of the tool.
   * @throws {ToolCallError} The tool reports an error.
   */
  export function list(input?: ListInput): Promise<ListOutput>;
}
`);
  });
});

/** Bundles an entry with the emitted files, as Rollup does for any package. */
async function bundle(entry: string, emitted: readonly GeneratedFile[]): Promise<string> {
  const modules = new Map([["/entry.js", entry], ...emitted.map((file) => [`/${file.path}`, file.text] as const)]);
  const built = await rollup({
    input: "/entry.js",
    external: ["@codemode/runtime/v1"],
    plugins: [
      {
        name: "emitted-files",
        resolveId: (source, importer) =>
          source.startsWith(".") || source.startsWith("/")
            ? new URL(source, `file://${importer ?? "/"}`).pathname
            : null,
        load: (id) => ({ code: modules.get(id) ?? "", moduleSideEffects: false }),
      },
    ],
  });
  const { output } = await built.generate({ format: "es" });
  return output[0].code;
}
