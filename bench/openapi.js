// Measures @codemode/openapi: `node bench/openapi.js` prints the tables of docs/openapi.md, `--write` puts them there. It needs a build
// and `npm ci --prefix test/openapi/documents`. `--folder DIR` reads every JSON file of a folder, and prints how many become tools.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { LARGE, printVersion, SMALL } from "./openapi-documents.js";
import { writeRegion } from "./write-region.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const self = fileURLToPath(import.meta.url);

const CALLS = 1_000;

const [word, document] = process.argv.slice(2);
if (word === "--one") console.log(JSON.stringify(await measureHere(document)));
else if (word === "--folder") await readFolder(document);
else {
  const text = `\n${await printDocuments()}\n\n${printCall(await measureCall())}\n`;
  if (word === "--write") await writeRegion("openapi.md", "measured", text);
  else console.log(text);
}

/** In a process of its own, so that time and memory are those of one document. */
async function measureHere(path) {
  const { createOpenApiServer } = await import("../openapi/dist/server.js");
  // Time of the processor: what else the machine does is not in it.
  const loaded = process.cpuUsage();
  const { tools } = await createOpenApiServer(path, { mock: true });
  const { user, system } = process.cpuUsage(loaded);
  const sizes = tools.map((tool) => JSON.stringify(tool).length).toSorted((a, b) => a - b);
  return {
    tools: tools.length,
    typed: tools.filter(({ outputSchema }) => outputSchema !== undefined).length,
    read: Math.round((user + system) / 1000),
    // In kB, on every platform.
    memory: Math.round(process.resourceUsage().maxRSS / 1024),
    list: sizes.reduce((sum, size) => sum + size, 0),
    median: sizes[Math.floor(sizes.length / 2)],
    largest: sizes.at(-1),
  };
}

async function readFolder(folder) {
  const { createOpenApiServer } = await import("../openapi/dist/server.js");
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".json"));
  const found = { documents: paths.length, read: 0, tools: 0, typed: 0 };
  const begun = performance.now();
  for (const path of paths) {
    try {
      const { tools } = await createOpenApiServer(join(folder, path), { mock: true });
      found.read += 1;
      found.tools += tools.length;
      found.typed += tools.filter(({ outputSchema }) => outputSchema !== undefined).length;
    } catch (error) {
      console.log(error.message);
    }
  }
  console.log({ ...found, seconds: Math.round((performance.now() - begun) / 1000) });
}

async function printDocuments() {
  const rows = [];
  for (const { name, path, folder } of [...LARGE, ...SMALL]) {
    const { stdout } = await promisify(execFile)(process.execPath, [self, "--one", path], { cwd: root });
    const found = JSON.parse(stdout);
    const from = JSON.parse(await readFile(`${root}${folder}/package.json`, "utf8"));
    const text = await readFile(`${root}${path}`, "utf8");
    const { info } = JSON.parse(text);
    const bytes = Buffer.byteLength(text);
    const kilo = (size) => Math.ceil(size / 1000);
    rows.push(
      `| ${name}${printVersion(info)} | \`${from.name}\` ${from.version} (${from.license}) | ${kilo(bytes)} | ${found.tools} | ${found.typed} | ${found.read} | ${found.memory} | ${kilo(found.list)} | ${kilo(found.median)} | ${kilo(found.largest)} |`,
    );
  }
  const head = [
    "document",
    "from",
    "kB",
    "operations",
    "typed results",
    "processor time to read and make, ms",
    "peak memory, MB",
    "tools, kB",
    "median tool, kB",
    "largest, kB",
  ];
  return [`| ${head.join(" | ")} |`, `| --- | --- |${" ---: |".repeat(head.length - 2)}`, ...rows].join("\n");
}

/** A call of a small answer over stdio, beside plain `fetch` of the same address. */
async function measureCall() {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":1,"name":"Rex"}'),
  );
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const petstore = `${root}node_modules/@readme/oas-examples/3.0/json/petstore-expanded.json`;
  const client = new Client({ name: "bench", version: "1" });
  const args = [`${root}openapi/dist/main.js`, petstore, "--base-url", origin];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  const { tools } = await client.listTools();
  const name = tools.find(({ inputSchema }) => inputSchema.required?.includes("id"))?.name;
  const call = () => client.callTool({ name, arguments: { id: 1 } });
  const plain = async () => (await fetch(`${origin}/pets/1`)).json();
  const times = { call: [], plain: [] };
  for (let count = 0; count < CALLS + 100; count += 1) {
    for (const [kind, make] of Object.entries({ call, plain })) {
      const begun = performance.now();
      await make();
      // The first hundred warm up.
      if (count >= 100) times[kind].push(performance.now() - begun);
    }
  }
  await client.close();
  server.closeAllConnections();
  server.close();
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  return { call: median(times.call), plain: median(times.plain) };
}

function printCall({ call, plain }) {
  return [
    `| ${CALLS} warm calls, one after the other | median, ms |`,
    "| --- | ---: |",
    `| plain \`fetch\` of a small answer | ${plain.toFixed(2)} |`,
    `| the same by a tool, over stdio | ${call.toFixed(2)} |`,
    `| more | ${(call - plain).toFixed(2)} |`,
  ].join("\n");
}
