import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { replacePlaceholders } from "./placeholders.ts";
import type { ServerSubject } from "./project-trust.ts";
import { holdsCredentials } from "../../../schemas/secrets/written-credentials.ts";
import { planServerEnvironment } from "./server-environment.ts";
import type { HttpTarget, StdioTarget } from "./server-target.ts";
import type { OAuthSettings } from "../../../schemas/config/config-file.ts";

/** Where a server is, all placeholders replaced. */
export type FilledPlace =
  | Pick<StdioTarget, "transport" | "command" | "args" | "env" | "inheritEnv" | "cwd" | "roots">
  | Pick<HttpTarget, "transport" | "url" | "headers" | "oauth" | "roots">;

/**
 * Replaces the placeholders of a server's program or address. Throws what `onUnset` and `onInvalid` make.
 * @returns the place, and by the name of its variable each value to be masked that is in neither `env` nor `headers`
 */
export function fillPlace(
  subject: ServerSubject,
  given: {
    /** The project folder: relative paths belong to it. */
    folder: string;
    env: NodeJS.ProcessEnv;
    /** Makes the error for a variable that has neither value nor default. */
    onUnset: (variable: string) => Error;
    /** Makes the error for a place that cannot be used; the problem names no value. */
    onInvalid: (problem: string) => Error;
  },
): { place: FilledPlace; secrets: Record<string, string> } {
  const { folder, env, onUnset, onInvalid } = given;
  const secrets = new Map(listInherited(subject, env));
  const onUsed = (variable: string, value: string) => void secrets.set(variable, value);
  const values = { env, workspaceFolder: folder, userHome: homedir(), onUsed };
  const fill = (text: string): string => replacePlaceholders(text, values, onUnset);
  const place =
    subject.transport === "stdio" ? fillProgram(subject, fill, folder) : fillAddress(subject, fill, folder, onInvalid);
  const roots = (subject.roots ?? []).map((root) => resolve(folder, fill(root)));
  return {
    place: roots.length === 0 ? place : { ...place, roots },
    secrets: Object.fromEntries(secrets),
  };
}

/** What a program gets as it is: what the configuration names, and addresses of proxies that hold a password. */
function listInherited(subject: ServerSubject, env: NodeJS.ProcessEnv): [name: string, value: string][] {
  if (subject.transport !== "stdio") return [];
  const inherited = Object.entries(planServerEnvironment({}, subject.inheritEnv, { env }));
  return inherited.filter(([name, value]) => subject.inheritEnv.includes(name) || holdsCredentials(value));
}

type Fill = (text: string) => string;

function fillProgram(subject: ServerSubject & { transport: "stdio" }, fill: Fill, folder: string): FilledPlace {
  const { command, args, env, inheritEnv, cwd = "." } = subject;
  return {
    transport: "stdio",
    command: fill(command),
    args: args.map(fill),
    env: fillValues(env, fill),
    inheritEnv,
    cwd: resolve(folder, fill(cwd)),
  };
}

function fillAddress(
  subject: ServerSubject & { transport: "http" | "sse" },
  fill: Fill,
  folder: string,
  onInvalid: (problem: string) => Error,
): FilledPlace {
  const url = fill(subject.url);
  if (!isHttpUrl(url)) throw onInvalid('"url" is not an absolute URL, such as https://example.com/mcp');
  const headers = fillValues(subject.headers, fill);
  const names = new Map<string, string>();
  for (const [header, value] of Object.entries(headers)) {
    const other = names.get(header.toLowerCase());
    // Both would be sent, joined by a comma.
    if (other !== undefined) throw onInvalid(`"${other}" and "${header}" are one header; keep one of them`);
    names.set(header.toLowerCase(), header);
    if (!HEADER_NAME.test(header)) throw onInvalid(`"${header}" cannot be the name of a header`);
    // Without the value: it may be a secret.
    if (!HEADER_VALUE.test(value)) throw onInvalid(`the value of header "${header}" cannot be sent`);
  }
  const oauth = Object.entries(subject.oauth ?? {}).map(([key, value]) => {
    if (typeof value !== "string") return [key, value];
    return [key, key.endsWith("File") ? resolve(folder, fill(value)) : fill(value)];
  });
  return {
    transport: subject.transport,
    url,
    headers,
    ...withoutUndefined({ oauth: oauth.length === 0 ? undefined : (Object.fromEntries(oauth) as OAuthSettings) }),
  };
}

function fillValues(values: Readonly<Record<string, string>>, fill: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
}

/** RFC 9110, section 5.6.2 and 5.5; `fetch` takes no character beyond Latin-1. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  // `fetch` refuses credentials in a URL; they belong into a header.
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
