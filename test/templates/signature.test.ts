import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ts } from "@ts-morph/common";
import { describe, expect, it } from "vitest";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import { emitSignature } from "../../templates/emit-signature.ts";
import { goldenLockfile, writeGoldenPackage } from "./golden-package.ts";
import { lockedServer, observe, type RawTool } from "./lockfile-of.ts";
import { printSignatureChecks } from "./print-signature-checks.ts";
import { runTsc } from "./run-tsc.ts";

function signatureOf(tool: Omit<RawTool, "name"> & { name?: string }): string {
  const [locked] = lockedServer("server", [{ name: "do-it", ...tool }]).tools;
  return emitSignature(locked as LockedTool);
}

function ofProperties(properties: object, required: readonly string[] = []): string {
  return signatureOf({ inputSchema: { type: "object", properties, required } });
}

describe("a short signature", () => {
  it("says of what was observed that it was", () => {
    const server = observe(lockedServer("server", [{ name: "take", description: "Takes." }]), { take: ['{"id": 1}'] });
    expect(emitSignature(server.tools[0] as LockedTool)).toBe(
      "/** Takes. [result observed] */\nexport function take(): Promise<JsonText<{ id: number }>>;",
    );
  });

  it("is the beginning of the description, then the function with its types in place", () => {
    const tool = {
      description: "Makes an issue. Then it tells everybody of it, at length. ".padEnd(400, "and more "),
      annotations: { destructiveHint: true },
      inputSchema: {
        type: "object",
        required: ["owner"],
        properties: {
          labels: { type: "array", items: { enum: ["bug", "idea"] }, description: "What it is about" },
          owner: { type: "string" },
        },
      },
      outputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    };
    expect(signatureOf(tool)).toBe(
      "/** Makes an issue. [destructive] */\n" +
        'export function do_it(input: { owner: string; /** What it is about */ labels?: ("bug" | "idea")[] }): Promise<{ url: string }>;',
    );
  });

  it("has no parameter where there is nothing to say, and no output type where the server says none", () => {
    expect(signatureOf({ inputSchema: { type: "object" } })).toBe(
      "export function do_it(): Promise<string | McpResult>;",
    );
  });

  it("leaves out comments that only repeat names, and adds the limits that a type cannot say", () => {
    const properties = {
      id: { type: "string", description: "The id of it" },
      page: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Page size" },
      since: { type: "string", format: "date-time" },
    };
    expect(ofProperties(properties)).toBe(
      "export function do_it(input?: { id?: string; /** Page size (1 to 100, default 20) */ page?: number; /** date-time */ since?: string }): Promise<string | McpResult>;",
    );
  });

  it("writes definitions where they are used, and stops where they never end", () => {
    const inputSchema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/node" }, size: { $ref: "#/$defs/size" } },
      $defs: {
        size: { enum: ["s", "m"] },
        node: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } },
      },
    };
    const signature = signatureOf({ inputSchema });
    expect(signature).toContain('size?: "s" | "m"');
    expect(signature).toMatch(/tree\?: \{ children\?: \{ children\?: .*unknown \/\*…\*\/\[\]/);
    expect(signature).toMatch(/ \/\/ … is left out here: getTool\(\) tells all$/);
  });

  it("stays short however much a server says: what is required comes first, and what is left out is named", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`option${index}`, { type: "string" }]));
    const signature = ofProperties({ ...many, needed: { type: "string" } }, ["needed"]);
    expect(signature.length).toBeLessThan(2500);
    expect(signature).toMatch(/^export function do_it\(input: \{ needed: string; option0\?: string; /);
    expect(signature).toMatch(/\/\*… option\d+, .*, … \*\/ \}/);
  });

  it("is as short for schemas that grow with every step, or have no end of anything", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `d${index}`,
        {
          type: "object",
          properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } },
        },
      ]),
    );
    const inputSchema = { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: doubling };
    expect(signatureOf({ inputSchema }).length).toBeLessThan(5000);
    const names = Array.from({ length: 2000 }, (_, index) => `needed${index}`);
    expect(ofProperties(Object.fromEntries(names.map((name) => [name, true])), names)).toContain(
      "(input: unknown /*…*/): Promise<string | McpResult>; // …",
    );
    let nested: object = { type: "string" };
    for (let depth = 0; depth < 150; depth += 1)
      nested = { anyOf: [{ type: "array", items: nested }, { const: depth }] };
    expect(ofProperties({ nested }).length).toBeLessThan(5000);
  });

  it("narrows a long list of values in an input, and widens it in an output", () => {
    const values = { type: "string", enum: Array.from({ length: 900 }, (_, index) => `value ${index}`) };
    const schema = { type: "object", properties: { kind: values }, required: ["kind"] };
    const signature = signatureOf({ inputSchema: schema, outputSchema: schema });
    expect(signature).toContain('(input: { kind: "value 0" | "value 1" | ');
    expect(signature).toContain("): Promise<{ kind: string /*…*/ }>;");
    const mixed = { type: "object", properties: { kind: { enum: [...values.enum, null, 1] } } };
    expect(signatureOf({ outputSchema: mixed })).toContain("kind?: string | null | number /*…*/ }>");
  });

  it("keeps all text of a server inside comments and strings", () => {
    const evil = '*/ } }): void; process.exit(); /** @throws {Error}\u2028\u202e `${x}` \ud800 "';
    const properties = { [evil]: { description: evil, enum: [evil] }, __proto__x: { const: evil, description: evil } };
    const signature = signatureOf({
      name: "do-it",
      description: evil,
      inputSchema: { type: "object", properties, description: evil },
      outputSchema: { type: "object", properties, additionalProperties: { const: evil } },
    });
    expectOneFunction(signature, "do_it");
    expect(signature).not.toMatch(/[\u2028\u202e\ud800]/);
    expect(signature.split("\n")).toHaveLength(2);
  });
});

describe("the short signatures of the golden package", async () => {
  const folder = await writeGoldenPackage();
  const tools = [...goldenLockfile.servers.values()].flatMap((server) => server.tools);

  it("are each one function and nothing else", () => {
    expect.hasAssertions();
    for (const tool of tools) expectOneFunction(emitSignature(tool), tool.exportName);
  });

  it("promise nothing that the whole declarations do not: what compiles against them compiles there", async () => {
    await writeFile(
      join(folder, "checks.ts"),
      printSignatureChecks(goldenLockfile, (id) => `@codemode/servers/${id}`),
    );
    const settings = {
      extends: "./tsconfig.json",
      // Intersections of optional properties are not even assignable to themselves once they are written in place.
      compilerOptions: { exactOptionalPropertyTypes: false },
      include: ["checks.ts"],
    };
    await writeFile(join(folder, "checks.json"), JSON.stringify(settings));
    expect(await runTsc(join(folder, "checks.json"))).toEqual([]);
  });
});

function expectOneFunction(signature: string, name: string): void {
  const file = ts.createSourceFile("signature.ts", signature, ts.ScriptTarget.ESNext, true);
  const mistakes = (file as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics;
  const [statement] = file.statements;
  const found = statement !== undefined && ts.isFunctionDeclaration(statement) ? statement.name?.text : undefined;
  expect([found, file.statements.length, mistakes.length], signature).toEqual([name, 1, 0]);
}
