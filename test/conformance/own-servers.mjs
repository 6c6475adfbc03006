// Runs the server scenarios of the official conformance suite against an MCP server of each SDK, alone and behind `connectTo`. Exits with 1 where
// one that passes alone fails behind it and has no reason below, or passes although it has. It needs a build.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/server";
import { codeMode } from "../../dist/library/index.js";
import { FORMS, pause, PROGRESS, RESULTS, text } from "./fixture-tools.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const require = createRequire(import.meta.url);
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");

/** The revision that sessions speak. */
const REVISION = "2025-11-25";

/** What passes alone and not behind `connectTo`. */
const REASONS = {
  "elicitation-sep1330-enums":
    "a form is rebuilt: choices with titles are `oneOf`, also in place of the deprecated `enumNames`",
};

const SDKS = {
  1: { Server: OldMcpServer, Transport: StreamableHTTPServerTransport },
  2: { Server: McpServer, Transport: NodeStreamableHTTPServerTransport },
};

/** A server with the suite's tools. The suite calls them by names that begin so. */
function makeServer(Server, prefix) {
  const made = new Server({ name: "fixture", version: "1" }, { capabilities: { tools: {}, logging: {} } });
  const add = (name, answer) =>
    made.registerTool(`${prefix}${name}`, { description: `Answers ${name}` }, async (extra) => answer(extra));
  for (const [name, result] of Object.entries(RESULTS)) {
    add(name, async () => {
      if (name === "logging_tool") await made.server.sendLoggingMessage({ level: "info", data: "on its way" });
      return result;
    });
  }
  for (const [name, properties] of Object.entries(FORMS)) {
    add(name, async () => {
      const requestedSchema = { type: "object", properties };
      const answer = await made.server.elicitInput({ message: "Please", requestedSchema });
      return { content: [text(`Elicitation completed: ${JSON.stringify(answer)}`)] };
    });
  }
  for (const name of PROGRESS) {
    add(name, async (extra) => {
      const { _meta: meta, notify = extra.sendNotification } = extra.mcpReq ?? extra;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken: meta?.progressToken, progress, total: 100 };
        if (name === "tool_with_progress") await notify({ method: "notifications/progress", params });
        else await made.server.sendLoggingMessage({ level: "info", data: `at ${progress}` });
        await pause();
      }
      return { content: [text("done")] };
    });
  }
  return made;
}

/** Serves over HTTP, with sessions. */
async function serve(Transport, connect) {
  const sessions = new Map();
  const open = async () => {
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      // The suite sends from elsewhere, and expects to be refused.
      ...{ enableDnsRebindingProtection: true, allowedHosts: [`localhost:${port()}`, `127.0.0.1:${port()}`] },
    });
    await connect(transport);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const known = sessions.get(request.headers["mcp-session-id"]);
    await (known ?? (await open())).handleRequest(request, response);
  });
  const port = () => http.address().port;
  await once(http.listen(0, "127.0.0.1"), "listening");
  const close = () => {
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://127.0.0.1:${port()}/mcp`, close };
}

/** The scenarios that pass. */
async function runSuite({ url, close }, folder) {
  const args = [suite, "server", "--url", url, "-o", folder, "--requirements", REVISION];
  const child = spawn(process.execPath, ["--import", here("globsync-shim.mjs"), ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const printed = await readAll(child.stdout);
  close();
  const lines = [...printed.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed$/gmu)];
  return lines.filter(([, , passed, failed]) => passed !== "0" && failed === "0").map(([, name]) => name);
}

const folder = await mkdtemp(join(tmpdir(), "codemode-conformance-"));
try {
  const serveSettings = { direct: ["test/*"], mayApprove: true };
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers: {}, serve: serveSettings }));
  for (const [sdk, { Server, Transport }] of Object.entries(SDKS)) {
    const alone = await serve(Transport, (transport) => makeServer(Server, "test_").connect(transport));
    const passAlone = await runSuite(alone, join(folder, "alone"));
    const code = await codeMode({ test: () => makeServer(Server, "") }, { project: folder, trust: true });
    const behind = await serve(Transport, (transport) => code.connectTo(transport));
    const passBehind = await runSuite(behind, join(folder, "behind"));
    await code.close();
    const lost = passAlone.filter((name) => !passBehind.includes(name));
    const unexpected = lost.filter((name) => REASONS[name] === undefined);
    const needless = Object.keys(REASONS).filter((name) => passBehind.includes(name));
    const found = `${passAlone.length} scenarios pass alone, ${passBehind.length} behind connectTo`;
    console.log(`SDK ${sdk}: ${found}; lost: ${lost.join(", ") || "none"}`);
    for (const name of needless) console.error(`SDK ${sdk}: ${name} passes, and has a reason not to`);
    if (passAlone.length === 0 || unexpected.length > 0 || needless.length > 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
