import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { planHttp } from "../../../serve/http/http-plan.ts";
import { type HttpOptions, serveHttp } from "../../../serve/http/serve-http.ts";
import type { Access } from "../../../schemas/access/access.ts";
import type { ServeEntry } from "../../../schemas/config/config-file.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { whenDone } from "../../e2e/share-in-file.ts";
import { type Diary, makeDiary, makeStandIn } from "./stand-in-server.ts";

export interface Started {
  /** Without a path. */
  origin: string;
  url: URL;
  diary: Diary;
  notes: string[];
  stop(): Promise<void>;
}

/** Serves stand-in servers over HTTP, on any free port, until the test ends. */
export async function startHttp(
  serve: ServeEntry = {},
  options: Partial<HttpOptions> = {},
  address = "0",
  env: Record<string, string> = {},
): Promise<Started> {
  const plan = planHttp(address, toConfig({ mcpServers: {}, serve }, "codemode.config.json", "/project"), env);
  const diary = makeDiary();
  const notes: string[] = [];
  const ending = new AbortController();
  let served: Promise<void> = Promise.resolve();
  const url = await new Promise<URL>((resolve, reject) => {
    const note = (text: string): void => {
      notes.push(text);
      const found = /http:\S+/.exec(text)?.[0];
      if (found !== undefined) resolve(new URL(found));
    };
    const makeServer = (access: Access) => makeStandIn(access, diary);
    const onFailure = (error: unknown): void => void notes.push(String(error));
    served = serveHttp(plan, { makeServer, note, onFailure, ...options }, ending.signal);
    served.catch(reject);
  });
  const stop = async (): Promise<void> => {
    ending.abort();
    await served;
  };
  whenDone(stop);
  return { origin: url.origin, url, diary, notes, stop };
}

/** A client of the legacy era, as most agents still have it. */
export async function connectLegacy(url: URL, token?: string): Promise<LegacyClient> {
  const client = new LegacyClient({ name: "legacy", version: "1" }, { capabilities: { elicitation: {} } });
  // The declarations of the two packages differ in what may be undefined.
  await client.connect(new LegacyTransport(url, { requestInit: { headers: bearer(token) } }) as never);
  whenDone(() => client.close());
  return client;
}

/** A client that speaks the modern revision alone. */
export async function connectModern(url: URL, token?: string): Promise<ModernClient> {
  const client = new ModernClient(
    { name: "modern", version: "1" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new ModernTransport(url, { requestInit: { headers: bearer(token) } }));
  whenDone(() => client.close());
  return client;
}

export function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** What a tool of the stand-in says. */
export async function ask(
  client: { callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown> },
  name: string,
  input: Record<string, unknown> = {},
): Promise<string> {
  const result = (await client.callTool({ name, arguments: input })) as { content: { text: string }[] };
  return result.content[0]?.text ?? "";
}

/** The message with which something fails, to be looked at later. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return String(error);
  }
  throw new Error("it did not fail");
}

/** Waits until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
