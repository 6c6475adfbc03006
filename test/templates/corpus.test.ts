import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../schemas/lock/operations.ts";
import { makeSharedFolder } from "../make-test-folder.ts";
import { countCases } from "../sets/count-cases.ts";
import { emitLockfile } from "./emit-lockfile.ts";
import { planExamples } from "../../schemas/json-schema/plan-examples.ts";
import { planServer } from "../../templates/plan.ts";
import type { ToolPlan } from "../../templates/server-plan.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { loadValidator } from "./load-validator.ts";
import { lockedServer, lockRecordings } from "./lockfile-of.ts";
import { recordServers } from "./record-servers.ts";
import { printSignatureChecks } from "./print-signature-checks.ts";
import { runTsc } from "./run-tsc.ts";

/** Recorded tool lists of some 70 real servers; they are no part of the repository. `npm run test:cases` tries them. */
const CORPUS = new URL("../../../shared/corpus/", import.meta.url);
const isTried = existsSync(CORPUS) && countCases(1, 0) === 1;

describe("the tools of the real servers that are dev dependencies", async () => {
  await expectTools(await recordServers());
});

describe.skipIf(!isTried)(
  `the tools of some 70 real servers${isTried ? "" : " (skipped: one of `npm run test:cases`, with a ../shared/corpus)"}`,
  async () => {
    await expectTools(isTried ? lockRecordings(CORPUS) : { servers: new Map() }, [
      ["netlify-coding-rules", "/properties/creationType/enum", "lists no value"],
    ]);
  },
);

/** The checks of each set of servers. `known` are the places in their schemas that no type can say: server, pointer and problem. */
async function expectTools(recorded: Lockfile, known: readonly (readonly string[])[] = []): Promise<void> {
  const lockfile = { servers: new Map([...recorded.servers].map(([id, server]) => [id, withLists(server)])) };
  const plans = [...modulesOfLockfile(lockfile).values()].map(planServer);
  const files = await emitLockfile(lockfile);
  const tools = plans.flatMap((server) => server.tools);
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const examples = await Promise.all(
    tools.map((tool) => exampleOf(tool, texts.get(`${tool.moduleId}/${tool.file}.validator.js`) ?? "")),
  );
  const folder = await makeSharedFolder();

  it("are all said whole", () => {
    const problems = plans.flatMap((server) => server.problems);
    expect(problems.map(({ toolName, pointer, message }) => [toolName, pointer, message])).toEqual(known);
    const lastResorts = files.filter((file) => /^(?:\/\*\*|\/\/) Warning: the schema/m.test(file.text));
    expect(lastResorts.map((file) => file.path)).toEqual([]);
  });

  it("pass tsc --strict together, and each type accepts what its validator accepts", async () => {
    const sources = [
      ...files,
      { path: "examples.ts", text: tools.map((tool, index) => printUse(tool, examples[index], index)).join("\n") },
    ];
    await Promise.all(sources.filter(({ path }) => path.endsWith(".ts")).map(({ path, text }) => write(path, text)));
    await write(
      "tsconfig.json",
      JSON.stringify({
        extends: [new URL("../golden/tsconfig.json", import.meta.url).pathname],
        include: ["**/*.ts"],
      }),
    );
    expect(await runTsc(join(folder, "tsconfig.json"))).toEqual([]);
  });

  it("have short signatures that promise nothing more", async () => {
    const declarations = files.filter(({ path }) => path.endsWith(".d.ts"));
    await Promise.all(declarations.map(({ path, text }) => write(`short/${path}`, text)));
    await write(
      "short/signatures.ts",
      printSignatureChecks(lockfile, (id) => `./${id}/index.js`),
    );
    const settings = {
      extends: [new URL("../golden/tsconfig.json", import.meta.url).pathname],
      compilerOptions: { exactOptionalPropertyTypes: false },
      include: ["**/*.ts"],
    };
    await write("short/tsconfig.json", JSON.stringify(settings));
    expect(await runTsc(join(folder, "short/tsconfig.json"))).toEqual([]);
  });

  it("mostly come with an example that the validator accepts", () => {
    expect(examples.filter((example) => example !== undefined).length / tools.length).toBeGreaterThan(0.95);
  });

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The recordings are lists of tools; resources and prompts are made of the names and parameters of the first of them. */
function withLists(server: LockedServer): LockedServer {
  const shown = server.tools.slice(0, 5).map(({ name, description = "", inputSchema }) => {
    const properties = isJsonObject(inputSchema) ? ownValue(inputSchema, "properties") : undefined;
    return { name, description, parameters: isJsonObject(properties) ? Object.keys(properties) : [] };
  });
  const { resources = [], prompts = [] } = lockedServer(
    server.id,
    [],
    {},
    {
      resourceTemplates: shown.map(({ name, description, parameters }, index) => ({
        ...{ name, description, mimeType: "text/plain" },
        uriTemplate: `test${index}:/${parameters.map((parameter) => `{${parameter}}`).join("/")}`,
      })),
      prompts: shown.map(({ name, description, parameters }) => ({
        ...{ name, description },
        arguments: parameters.map((parameter) => ({ name: parameter, required: parameter.length % 2 === 0 })),
      })),
    },
  );
  return { ...server, resources, prompts };
}

/** An assignment of the tool's example to its input type. */
function printUse(tool: ToolPlan, example: JsonValue | undefined, index: number): string {
  if (example === undefined) return "";
  const type = `import("./${tool.moduleId}/${tool.file}.js").${tool.inputType}`;
  return `export const example${index}: ${type} = ${printValue(example)};`;
}

/** One that the generated validator accepts. */
async function exampleOf(tool: ToolPlan, source: string): Promise<JsonValue | undefined> {
  const accepts = await loadValidator(source);
  return planExamples(tool.input).find((candidate) => accepts(candidate));
}
