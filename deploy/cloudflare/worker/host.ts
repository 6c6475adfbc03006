import { project } from "codemode:project";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { WorkerLoader } from "./isolate-engine.ts";
import { makeScriptRunner, type ScriptRunner } from "./run-script.ts";

/** The bindings of the Worker. Placeholders of the configuration name further variables and secrets. */
interface Env {
  LOADER: WorkerLoader;
  /** What callers send as a bearer token. */
  CODEMODE_TOKEN?: string;
}

const MAX_INPUT_BYTES = 1024 * 1024;
const SHORTEST_TOKEN = 32;
let runner: ScriptRunner | undefined;

export default {
  /** `POST /run/NAME` with the input as JSON gives the answer of the run. */
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/ready") return new Response("ready\n");
    if (!(await isCaller(request, env))) return refuse(401, "Send the token of this Worker.");
    const name = /^\/run\/([A-Za-z0-9_-]{1,64})$/.exec(pathname)?.[1];
    runner ??= makeScriptRunner(project, env.LOADER, variablesOf(env));
    if (name === undefined || request.method !== "POST" || !runner.has(name)) {
      return refuse(404, "POST to /run/NAME, with the name of a pinned script.");
    }
    const text = await request.text();
    if (text.length > MAX_INPUT_BYTES) return refuse(413, `The input is longer than ${MAX_INPUT_BYTES} bytes.`);
    let input: JsonValue;
    try {
      input = text === "" ? null : (JSON.parse(text) as JsonValue);
    } catch {
      return refuse(400, "The input is not JSON.");
    }
    return Response.json(await runner.run(name, input, request.signal));
  },
};

function variablesOf(env: Env): NodeJS.ProcessEnv {
  const texts = Object.entries(env).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts);
}

/** Digests are compared, so that the time of the comparison tells nothing of the token. */
async function isCaller(request: Request, { CODEMODE_TOKEN: token = "" }: Env): Promise<boolean> {
  if (token.length < SHORTEST_TOKEN) return false;
  const given = request.headers.get("authorization")?.replace(/^Bearer /i, "") ?? "";
  const [left, right] = await Promise.all([digestOf(given), digestOf(token)]);
  return left === right;
}

async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return String.fromCharCode(...bytes);
}

function refuse(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
