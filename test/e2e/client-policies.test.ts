import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { ConfigFile, Policy, ServedClientEntry } from "../../schemas/config/config-file.ts";
import { parsePage } from "../docs/parse-page.ts";
import { SERVERS } from "./run-codemode.ts";
import { connectLegacy, connectModern, MODERN_VERSION } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { shareInFile } from "./share-in-file.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { shareProject } from "./share-project.ts";

/** The first configuration on a page that says something of this kind. */
function sampleOf<Part>(page: string, read: (config: Partial<ConfigFile>) => Part | undefined): Part {
  const { blocks } = parsePage(readFileSync(`docs/${page}`, "utf8"));
  const samples = blocks.filter(({ language, words }) => language === "json" && words.length === 0);
  for (const { text } of samples) {
    const part = read(JSON.parse(text) as Partial<ConfigFile>);
    if (part !== undefined) return part;
  }
  throw new Error(`${page} has no such sample.`);
}

/** The policies of a person who asks before anything is destroyed, and of an agent that only reads. */
const POLICY = sampleOf("configuration.md", ({ policy }) => policy) as Policy;
const { reporting } = sampleOf("serving-over-http.md", ({ serve }) => serve?.clients) as {
  reporting: ServedClientEntry;
};

test("the samples are the two that belong together: one asks about changes, the other only reads", () => {
  expect(POLICY.ask).toContain("@destructive");
  expect(reporting).toEqual({ token: "${REPORTING_TOKEN}", policy: { allow: ["@readOnly"] } });
});

const WRITE = `import { write_file } from "@codemode/servers/files";
export default await write_file({ path: "pwned.txt", content: "x" });`;
const READ = `import { list_directory } from "@codemode/servers/files";
export default JSON.stringify(await list_directory({ path: "." })).includes("codemode.config.json");`;

const makeProject = shareProject({
  "save.ts": WRITE,
  "codemode.config.json": {
    mcpServers: { files: SERVERS.filesystem },
    policy: POLICY,
    scripts: { save: { file: "save.ts", tool: true } },
    serve: {
      token: "own-token",
      direct: ["files/*"],
      clients: {
        reporting,
        reader: { ...reporting, token: "reader-token", mayApprove: true },
        writer: { token: "writer-token" },
        approver: { token: "approver-token", mayApprove: true },
      },
    },
  },
});
const ENV = { REPORTING_TOKEN: "reporting-token" };

interface Agent {
  client: LegacyClient | ModernClient;
  run(code: string): Promise<RunAnswer>;
  /** What the client was asked, each time with yes as the answer. */
  asked: string[];
}

type Era = "2025-11-25" | "2026-07-28";

/** Connects a client that says yes to every form it is shown, or that has no forms. */
type Connect = (era: Era, showsForms: boolean) => Promise<Agent>;

const YES = { action: "accept" as const, content: { approve: "Allow" } };

function toAgent(client: LegacyClient | ModernClient, showsForms: boolean): Agent {
  const asked: string[] = [];
  const answer = ({ params }: { params: { message: string } }) => {
    asked.push(params.message);
    return YES;
  };
  if (showsForms && client instanceof LegacyClient) client.setRequestHandler(ElicitRequestSchema, answer);
  if (showsForms && client instanceof ModernClient) client.setRequestHandler("elicitation/create", answer);
  const run = async (code: string): Promise<RunAnswer> => {
    const { structuredContent } = await client.callTool({ name: "codemode.run", arguments: { code } });
    return structuredContent as unknown as RunAnswer;
  };
  return { client, run, asked };
}

function overStdio(cwd: string): Connect {
  return async (era, showsForms) => {
    const options = { capabilities: showsForms ? { elicitation: {} } : {} };
    const connect = era === MODERN_VERSION ? connectModern : connectLegacy;
    return toAgent(await connect(cwd, ["--frozen"], options), showsForms);
  };
}

function overHttp(url: URL, token: string): Connect {
  return async (era, showsForms) => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const [identity, capabilities] = [{ name: "test", version: "1" }, showsForms ? { elicitation: {} } : {}];
    const client =
      era === MODERN_VERSION
        ? new ModernClient(identity, { capabilities, versionNegotiation: { mode: { pin: MODERN_VERSION } } })
        : new LegacyClient(identity, { capabilities });
    if (client instanceof ModernClient) await client.connect(new ModernTransport(url, { requestInit }));
    else await client.connect(new LegacyTransport(url, { requestInit }) as never);
    onTestFinished(() => client.close());
    return toAgent(client, showsForms);
  };
}

const WAYS: [Era, boolean][] = [
  ["2025-11-25", false],
  ["2025-11-25", true],
  ["2026-07-28", false],
  ["2026-07-28", true],
];

/** Half of them, with each era and with and without forms: over stdio each way is a process, and what they differ in is the same over HTTP. */
const HALF = WAYS.filter(([era, showsForms]) => showsForms === (era === MODERN_VERSION));
const OTHER_HALF = WAYS.filter((way) => !HALF.includes(way));

/** Has each kind of client run both scripts, and says what became of the write and whether a person was asked. */
async function tryToWrite(cwd: string, connect: Connect, ways: typeof WAYS) {
  const outcomes = [];
  for (const [era, showsForms] of ways) {
    const { run, asked } = await connect(era, showsForms);
    expect((await run(READ)).result).toBe(true);
    const { result, diagnostics, toolTrace } = await run(WRITE);
    const file = join(cwd, "pwned.txt");
    const wasWritten = existsSync(file);
    rmSync(file, { force: true });
    expect({ wasCalled: toolTrace.length > 0, hasResult: result !== null }).toEqual({
      wasCalled: wasWritten,
      hasResult: wasWritten,
    });
    const [{ code, message } = { code: "none", message: "" }] = diagnostics;
    outcomes.push({ era, showsForms, wasWritten, asked: asked.length, code, message });
  }
  return outcomes;
}

function allWays(outcome: object | ((showsForms: boolean) => object), ways: typeof WAYS) {
  return ways.map(([era, showsForms]) => ({
    era,
    showsForms,
    ...(typeof outcome === "function" ? outcome(showsForms) : outcome),
  }));
}

const RESERVED_DIAGNOSTIC = {
  code: "APPROVAL_REQUIRED",
  message: expect.stringContaining("files/write_file, which this client may not give"),
};
const RESERVED = { wasWritten: false, asked: 0, ...RESERVED_DIAGNOSTIC };
const WITH_A_PERSON = (showsForms: boolean) =>
  showsForms
    ? { wasWritten: true, asked: 1, code: "none" }
    : { wasWritten: false, asked: 0, code: "APPROVAL_REQUIRED" };

describe("over HTTP", () => {
  const served = shareInFile(async () => {
    const cwd = await makeProject();
    return { cwd, ...(await serveOverHttp(cwd, ENV, ["--frozen"])) };
  });
  const tryAs = (token: string, ways: typeof WAYS) => {
    const { cwd, url } = served();
    return tryToWrite(cwd, overHttp(url, token), ways);
  };

  test("a client that only reads cannot write, not even with a person's approval", async () => {
    const outcome = { wasWritten: false, asked: 0, code: "IMPORT_FAILURE" };
    expect(await tryAs("reporting-token", HALF)).toMatchObject(allWays(outcome, HALF));
    expect(await tryAs("reader-token", OTHER_HALF)).toMatchObject(allWays(outcome, OTHER_HALF));
  });

  test("neither saved scripts, nor plain tools, nor discovery lead around its policy", async () => {
    const cwd = await makeProject();
    const state = await setPassphraseIn(join(cwd, "state"));
    const { url } = await serveOverHttp(cwd, { ...ENV, ...state }, ["--frozen"]);
    const save = { name: "codemode.run", arguments: { script: "save" } };
    const write = { name: "files_write_file", arguments: { path: "pwned.txt", content: "x" } };

    const reader = await overHttp(url, "reader-token")("2025-11-25", true);
    const listed = JSON.stringify([await reader.client.listTools(), await reader.client.listResources()]);
    expect(listed).toContain("files_read_text_file");
    expect(listed).not.toMatch(/write_file|save/);
    const found = await reader.run(`import { searchTools, listScripts } from "@codemode/discovery";
      export default [await searchTools("write a file", { limit: 50 }), await listScripts()];`);
    expect(found.diagnostics).toEqual([]);
    expect(JSON.stringify(found.result)).not.toMatch(/write_file|save/);
    expect(await reader.client.callTool(save)).toMatchObject({
      structuredContent: { diagnostics: [{ code: "SCRIPT_UNAVAILABLE" }] },
    });
    await expect(reader.client.callTool({ name: "script_save", arguments: {} })).rejects.toThrow("Unknown tool");
    await expect(reader.client.callTool(write)).rejects.toThrow("Unknown tool");

    const writer = await overHttp(url, "writer-token")("2025-11-25", true);
    for (const call of [save, { name: "script_save", arguments: {} }]) {
      expect(await writer.client.callTool(call)).toMatchObject({
        structuredContent: { toolTrace: [], diagnostics: [RESERVED_DIAGNOSTIC, { code: "RUN_CONTINUES" }] },
      });
    }
    expect(await writer.client.callTool(write)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("which this client may not give") }],
    });
    expect([...reader.asked, ...writer.asked]).toEqual([]);
    expect(existsSync(join(cwd, "pwned.txt"))).toBe(false);
  });

  test("a client that may write after approval does not give it itself", async () => {
    expect(await tryAs("writer-token", HALF)).toMatchObject(allWays(RESERVED, HALF));
    expect(await tryAs("own-token", OTHER_HALF)).toMatchObject(allWays(RESERVED, OTHER_HALF));
  });

  test("a client that a person answers through asks that person", async () => {
    expect(await tryAs("approver-token", WAYS)).toMatchObject(allWays(WITH_A_PERSON, WAYS));
  });
});

describe("over stdio", () => {
  test("the person at the client is asked", async () => {
    const cwd = await makeProject();
    const outcomes = await tryToWrite(cwd, overStdio(cwd), HALF);
    expect(outcomes).toMatchObject(allWays(WITH_A_PERSON, HALF));
  });

  test("a client without a person cannot write, if the configuration says so", async () => {
    const cwd = await makeProject({
      "codemode.config.json": {
        mcpServers: { files: SERVERS.filesystem },
        policy: POLICY,
        serve: { mayApprove: false },
      },
    });
    const outcomes = await tryToWrite(cwd, overStdio(cwd), HALF);
    expect(outcomes).toMatchObject(allWays(RESERVED, HALF));
  });
});
