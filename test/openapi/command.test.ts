import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { readCommandLine } from "../../openapi/command-line.ts";
import { createOpenApiServer, type OpenApiError } from "../../openapi/server.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { startScriptedApi } from "./scripted-api.ts";

const MAIN = resolve("openapi/dist/main.js");
const PETS = `openapi: 3.0.3
info: { title: Pets, version: "1" }
security: [{ apiKey: [] }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      tags: [pets]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
    delete: { operationId: deletePet, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }
components:
  schemas: { Pet: { type: object, required: [name], properties: { name: { type: string, example: Rex } } } }
  securitySchemes: { apiKey: { type: apiKey, in: header, name: X-Key } }
`;

async function writePets(): Promise<string> {
  const file = join(await makeTestFolder(), "pets.yaml");
  await writeFile(file, PETS);
  return file;
}

/** Ends the command with what it printed. */
async function run(words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const done = promisify(execFile)(process.execPath, [MAIN, ...words]);
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function connect(
  words: string[],
  env: Record<string, string> = {},
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, ...words], env, stderr: "ignore" }),
  );
  onTestFinished(() => client.close());
  return client;
}

test("a client calls an API over the command, with a header of the environment", async () => {
  const { origin, seen } = await startScriptedApi((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Ada"}'),
  );
  const words = ["--base-url", `${origin}/v1`, "--exclude", "DELETE *", "--header", "Authorization: Bearer ${TOKEN}"];
  const client = await connect([await writePets(), ...words], { TOKEN: "from-env", OPENAPI_API_KEY: "key" });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["getPet"]);
  const { structuredContent } = await client.callTool({ name: "getPet", arguments: { id: 7 } });
  expect(structuredContent).toEqual({ name: "Ada" });
  expect(seen).toMatchObject([{ url: "/v1/pets/7", headers: { authorization: "Bearer from-env", "x-key": "key" } }]);
});

test("--mock answers from the document and sends nothing, in the newest version of MCP", async () => {
  const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = await connect([await writePets(), "--mock"], {}, modern);
  const { structuredContent } = await client.callTool({ name: "getPet", arguments: { id: 7 } });
  expect(structuredContent).toEqual({ name: "Rex" });
});

test("--list prints the operations, and a mistake is two lines and exit code 2", async () => {
  const file = await writePets();
  const [listed, failed] = await Promise.all([run([file, "--mock", "--list"]), run([file])]);
  expect(listed.stdout).toBe("getPet\tGET /pets/{id}\ndeletePet\tDELETE /pets/{id}\n");
  expect(failed).toMatchObject({
    ...{ code: 2, stdout: "" },
    stderr:
      "error: pets.yaml:6: #/paths/~1pets~1{id}/get: the document does not say at which address the server is\nhint: Give it with --base-url.\n",
  });
});

test("a wrong command line is one clear line", async () => {
  const say = (words: string[]): string => {
    try {
      return JSON.stringify(readCommandLine(words));
    } catch (error) {
      return (error as OpenApiError).message;
    }
  };
  expect(say([])).toBe("no document is given");
  expect(say(["a", "b"])).toBe("there is more than one document: b");
  expect(say(["a", "--nope"])).toBe("Unknown option '--nope'");
  expect(say(["a", "--timeout", "soon"])).toBe("--timeout must be a whole number above 0");
  expect(readCommandLine(["a", "--help"])).toEqual({ help: true });
  const file = await writePets();
  await expect(createOpenApiServer(file, { baseUrl: "ftp://x" })).rejects.toThrow("--base-url is no address");
  const header = createOpenApiServer(file, { mock: true, headers: ["X: ${UNSET_HERE}"], env: {} });
  await expect(header).rejects.toThrow("the variable UNSET_HERE for the header X is not set");
  await expect(createOpenApiServer(file, { mock: true, headers: ["no header"] })).rejects.toThrow(
    "a header is not valid",
  );
});
