import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { prepare, writeFiles } from "../e2e/run-codemode.ts";
import { COMMAND, ISOLATION } from "../sandbox/realm/isolation-under-test.ts";

/** What `serve` does about servers that change; the default unless `TEST_DRIFT` names another. */
export const DRIFT = process.env["TEST_DRIFT"];

/** A tool as the test's own server lists it, and what it answers; `test/servers/file-server.mjs` says which keys there are. */
export interface ListedTool {
  name: string;
  [key: string]: unknown;
}

/** A project of the test's own. */
export interface SpecProject {
  /** Servers of the test's own, by their names. */
  servers: Record<string, readonly ListedTool[]>;
  /** Variables that the configuration gives to each of them. */
  env?: Record<string, string>;
  /** Further keys of the configuration, and further servers. */
  config?: { mcpServers?: object; [key: string]: unknown };
}

/** A running `codemode serve`, and what a client can ask it. */
export interface Served {
  client(): Client;
  /** Runs code through `codemode.run`. */
  run(code: string, request?: object): Promise<RunAnswer>;
  /** The result of a run without a finding. */
  resultOf(code: string): Promise<unknown>;
}

/** Starts one `codemode serve` for all tests of a file, with an MCP client of the SDK that most agents have. */
export function serveProject(makeProject: () => SpecProject | Promise<SpecProject>): Served {
  let folder: string;
  let client: Client;
  beforeAll(async () => {
    const { servers, env = {}, config = {} } = await makeProject();
    folder = await mkdtemp(join(tmpdir(), "codemode-spec-"));
    const entries = Object.keys(servers).map((name, index) => [name, entryOf(`tools/${index}.json`, env)] as const);
    const mcpServers = { ...Object.fromEntries(entries), ...config.mcpServers };
    const lists = Object.values(servers).map((tools, index) => [`tools/${index}.json`, tools] as const);
    // The same at all levels of isolation; what locks and generates first is tested elsewhere.
    await prepare("generate", folder, { "codemode.config.json": { mcpServers }, ...Object.fromEntries(lists) });
    await writeFiles(folder, {
      "codemode.config.json": {
        sandbox: { isolation: ISOLATION, command: COMMAND },
        ...(DRIFT === undefined ? {} : { drift: DRIFT }),
        ...config,
        mcpServers,
      },
    });
    // A person allows what is asked: with `review`, calls of what has changed.
    client = new Client({ name: "specification", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { approve: "Allow" } }));
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [resolve("dist/cli/main.js"), "serve", "--cwd", folder, "--trust"],
        stderr: "ignore",
      }),
    );
  });
  afterAll(async () => {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function run(code: string, request: object = {}): Promise<RunAnswer> {
    const result = await client.callTool({ name: "codemode.run", arguments: { code, ...request } });
    expect(result.isError ?? false).toBe(false);
    return result.structuredContent as unknown as RunAnswer;
  }

  return {
    client: () => client,
    run,
    async resultOf(code) {
      const { result, diagnostics } = await run(code);
      expect(diagnostics).toEqual([]);
      return result;
    },
  };
}

function entryOf(path: string, env: Record<string, string>): object {
  return { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), path, "--notify"], env };
}

/** What a tool answers: one text. */
export function text(value: string): object {
  return { content: [{ type: "text", text: value }] };
}
