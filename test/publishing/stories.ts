import { resolve } from "node:path";

/** What a user types in a project that has the packages, and what has to come of it. */
export interface Story {
  title: string;
  /** A program of the project, or `node`, with its arguments. */
  words: string[];
  /** Of what it prints on both streams. */
  prints: RegExp;
  /** Its exit code where it is not 0. */
  code?: number;
}

const SERVER = resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const LIST = `import { list_directory } from "@codemode/servers/notes";\n`;

/** A document in YAML with a part in another file: its server reads both, and answers from the example. */
const PETS = `openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: "https://pets.example" }]
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        "200": { description: ok, content: { application/json: { schema: { $ref: "parts.yaml#/Pets" } } } }
`;
const PARTS = `Pets: { type: object, required: [names], properties: { names: { type: array, items: { type: string }, example: [Rex] } } }\n`;

const LIBRARY = `
import { codeMode, defineTool, openProject } from "codemode";
import { createOpenApiServer } from "@codemode/openapi";
const now = defineTool({ description: "Gives the time", execute: () => "noon" });
const api = await createOpenApiServer("pets.yaml", { mock: true });
const code = await codeMode({ clock: { now }, pets: api.makeServer });
const script = \`import { now } from "@codemode/servers/clock";
import { listPets } from "@codemode/servers/pets";
export default [await now(), (await listPets()).names[0]];\`;
console.log((await code.run({ code: script })).result);
await code.close();
const project = await openProject({ trust: true });
const engine = await project.openEngine();
const read = \`import { read_text_file } from "@codemode/servers/notes";
export default (await read_text_file({ path: "todo.txt" })).content.trim();\`;
console.log((await engine.run({ code: read })).result);
await engine.close();
`;

/** A client without an SDK. */
const CLIENT = `
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const server = spawn("codemode", ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const clientInfo = { name: "story", version: "1" };
send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
const script = ${JSON.stringify(`${LIST}export default (await list_directory({ path: "." })).content;`)};
for await (const line of createInterface({ input: server.stdout })) {
  const { id, result } = JSON.parse(line);
  if (id === 1) {
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "codemode.run", arguments: { code: script } } });
  }
  if (id === 2) {
    console.log(result.content[0].text);
    server.stdin.end();
  }
}
`;

/** The project of the stories, by path. */
export const FILES: Record<string, string> = {
  "codemode.config.json": JSON.stringify({
    mcpServers: {
      notes: { command: "node", args: [SERVER, "./notes"] },
      pets: { command: "npx", args: ["codemode-openapi", "./pets.yaml", "--mock"] },
    },
  }),
  "notes/todo.txt": "- [ ] Water the plants\n",
  "pets.yaml": PETS,
  "parts.yaml": PARTS,
  "good.ts": `${LIST}const { content } = await list_directory({ path: "." });\nexport default content;\n`,
  "bad.ts": `${LIST}await list_directory({ pth: 1 });\n`,
  "plain.mjs": `${LIST}console.log((await list_directory({ path: "." })).content);\nprocess.exit();\n`,
  "library.mjs": LIBRARY,
  "client.mjs": CLIENT,
};

/** In the order in which a user comes to them; each one uses what those before it have written. */
export const STORIES: readonly Story[] = [
  { title: "says its version", words: ["codemode", "--version"], prints: /^codemode\/\d+\.\d+\.\d+ / },
  { title: "tries an example", words: ["codemode", "try"], prints: /enterprise customers/ },
  { title: "trusts the project", words: ["codemode", "trust"], prints: /This project is now trusted/ },
  {
    title: "locks a server, and an API",
    words: ["codemode", "lock"],
    prints: /notes: 14 tools[^]*pets: 1 tool, added/,
  },
  { title: "generates packages", words: ["codemode", "generate"], prints: /2 server packages, 15 tools/ },
  { title: "checks a script", words: ["codemode", "check", "good.ts"], prints: /allow {2}notes\/list_directory/ },
  {
    title: "finds a mistake",
    words: ["codemode", "check", "bad.ts"],
    prints: /Write `path` instead of `pth`/,
    code: 1,
  },
  { title: "runs a script", words: ["codemode", "run", "good.ts"], prints: /^"\[FILE\] todo\.txt"\n/ },
  {
    title: "calls a tool of the API",
    words: ["codemode", "call", "pets/listPets", "{}"],
    prints: /^\{\s+"names": \[\s+"Rex"\s+\]\s+\}/,
  },
  { title: "looks for trouble", words: ["codemode", "doctor"], prints: /a sandbox process starts[^]*Servers/ },
  {
    title: "uses the library",
    words: ["node", "library.mjs"],
    prints: /^\[ 'noon', 'Rex' \]\n- \[ \] Water the plants\n/,
  },
  { title: "imports a generated package in plain Node", words: ["node", "plain.mjs"], prints: /^\[FILE\] todo\.txt\n/ },
  { title: "serves an agent", words: ["node", "client.mjs"], prints: /\[FILE\] todo\.txt/ },
  {
    title: "makes a run durable",
    words: ["codemode", "run", "good.ts", "--durable"],
    prints: /todo\.txt[^]*codemode runs /,
  },
  { title: "lists durable runs", words: ["codemode", "runs"], prints: /good\.ts {2}ended/ },
  {
    title: "packs the servers",
    words: ["codemode", "pack", "--scope", "@acme"],
    prints: /acme-notes-tools-.*\.tgz[^]*acme-pets-tools/,
  },
];
