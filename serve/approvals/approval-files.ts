import { lstat, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "../../engine/clock.ts";
import { stateFolder } from "@codemode/runtime/state-folder";
import {
  makePrivateFolder,
  mayRun,
  ownerHere,
  type ProcessOwner,
  unlessMissing,
  writePrivately,
} from "../../engine/files.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Integrity, integrityOf } from "../../schemas/lock/integrity.ts";
import { fileInaccessible } from "../../schemas/errors.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../schemas/json/json.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { AnswerOutcome } from "../../schemas/run/durable-run.ts";
import { type ApprovalKey, isSigned, signText, isOwned, readOwnFile } from "../../engine/approval-secret.ts";

// Processes that serve and `codemode approvals` meet in a folder of the state folder: a file for each question, and beside it one for
// its answer. Every program of the account can write there, the agent's shell too: what allows is signed by the person.

/** An approval that a run waits for, without the credentials of the configuration. */
export interface WaitingApproval {
  /** 128 random bits, in hexadecimal digits. */
  id: string;
  /** Whether it is about one call, or about a script. */
  kind: "script" | "call";
  /** The folder of its configuration. */
  project: string;
  /** As in `Access`. */
  client?: string | undefined;
  /** The lines of the question, safe to be shown: one for each tool, and what a person has not accepted yet. */
  tools: readonly string[];
  /** The tools by name, for programs: `server/tool`. */
  names?: readonly string[] | undefined;
  /** Of a call: the lines with the arguments whole. */
  whole?: readonly string[] | undefined;
  /** Of a script: the lines of its code, its input and its digest. */
  script?: readonly string[] | undefined;
  /** When it no longer waits, in milliseconds since the epoch. */
  until: number;
  /** The processes of the client that asks, where it runs on this machine: an answer from below them is the agent's own. */
  clientProcesses?: readonly number[] | undefined;
  /** The public key that its process verifies answers with, which it has read when it began; empty where no passphrase was set then. */
  verifiesWith?: string | undefined;
}

interface WrittenApproval extends WaitingApproval, ProcessOwner {}

/** Where an answer in a file is given. */
export type FileWay = "terminal" | "page";

const MAX_FILES = 1000;
const ID = /^[0-9a-f]{32}$/;

/**
 * The folder of the approvals, which is made where it does not exist.
 * @throws CodemodeError `FILE_INACCESSIBLE` where it is not this account's alone
 */
export async function openApprovalFolder(): Promise<string> {
  const folder = join(stateFolder(), "approvals");
  const found = await lstat(folder).catch(unlessMissing);
  const isOwn = found === undefined || (found.isDirectory() && isOwned(found.uid));
  if (!isOwn) throw fileInaccessible(folder, "it is not a folder of this account");
  await makePrivateFolder(folder, stateFolder());
  return folder;
}

/** Writes a question for the person at a terminal. */
export async function writeApproval(folder: string, approval: WaitingApproval): Promise<void> {
  const written: WrittenApproval = { ...approval, ...ownerHere() };
  await writePrivately(join(folder, `${approval.id}.json`), JSON.stringify(written));
}

/** All approvals that are waited for and have no answer yet, those of ended processes removed. */
export async function listApprovals(folder: string): Promise<WaitingApproval[]> {
  const approvals: WaitingApproval[] = [];
  const names = await readdir(folder);
  const answers = new Set(names.filter((name) => name.endsWith(".answer")));
  for (const name of names.slice(0, MAX_FILES)) {
    const [id = "", kind] = name.split(".");
    if (!ID.test(id)) continue;
    const written = parseApproval(id, await readOwnFile(join(folder, `${id}.json`)));
    if (written === undefined || !isWaiting(written)) await removeApproval(folder, id);
    else if (kind === "json" && !answers.has(`${id}.answer`)) approvals.push(withoutProcess(written));
  }
  return approvals.toSorted((left, right) => left.until - right.until || (left.id < right.id ? -1 : 1));
}

/** One of them, also where it has an answer that its run has not read yet. */
export async function findApproval(folder: string, id: string): Promise<WaitingApproval | undefined> {
  const written = ID.test(id) ? parseApproval(id, await readOwnFile(join(folder, `${id}.json`))) : undefined;
  return written === undefined || !isWaiting(written) ? undefined : withoutProcess(written);
}

/** All that a person reads about one: of a call with its arguments whole, of a script with its code. */
export function linesOf({
  tools,
  whole,
  script = [],
}: Pick<WaitingApproval, "tools" | "whole" | "script">): readonly string[] {
  return [...(whole ?? tools), ...script];
}

/** What a question is known by. */
type SignedApproval = Pick<WaitingApproval, "id" | "project" | "tools" | "whole" | "script">;

/** Over all that is shown of a question, and its id. */
export function digestApproval({ id, project, tools, whole = [], script = [] }: SignedApproval): Integrity {
  return integrityOf([id, project, [...tools], [...whole], [...script]]);
}

/** What an answer signs: this question as it was shown, and no other, with the decision. */
function textOf({ id, project, tools, whole = [], script = [] }: SignedApproval, decision: string): string {
  return JSON.stringify(["codemode approval", id, project, tools, whole, script, decision]);
}

/** Decides about what a question asks for. The way is signed with the decision. */
export async function decideApproval(
  folder: string,
  approval: WaitingApproval,
  decision: CallDecision,
  passphrase: string,
  key: ApprovalKey,
  way: FileWay = "terminal",
): Promise<AnswerOutcome> {
  const printed = JSON.stringify({ ...decision, by: { way } } satisfies CallDecision);
  const signature = await signText(passphrase, textOf(approval, printed), key);
  return signature === undefined ? "wrong" : writeAnswer(folder, approval, `decide ${signature} ${printed}`);
}

/** Refuses what a question asks for, which needs no passphrase. */
export function refuseApproval(
  folder: string,
  approval: Pick<WaitingApproval, "id">,
  reason = "",
  way: FileWay = "terminal",
): Promise<AnswerOutcome> {
  return writeAnswer(folder, approval, `refuse ${way} ${reason}`.trimEnd());
}

async function writeAnswer(
  folder: string,
  { id }: Pick<WaitingApproval, "id">,
  answer: string,
): Promise<AnswerOutcome> {
  if ((await findApproval(folder, id)) === undefined) return "gone";
  const path = join(folder, `${id}.answer`);
  try {
    await writeFile(path, answer, { flag: "wx", mode: 0o600 });
    return "given";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return (await readOwnFile(path)) === answer ? "given" : "answered";
  }
}

/** Whether the process that asks verifies answers with another key than this one: it began before the passphrase was set. */
export function isOfOtherKey(
  { verifiesWith }: Pick<WaitingApproval, "verifiesWith">,
  key: ApprovalKey | undefined,
): boolean {
  return verifiesWith !== undefined && verifiesWith !== (key?.publicKey ?? "");
}

/**
 * The answer to a question, as soon as there is one. What allows it counts with the person's signature over exactly this question.
 * @param key without it only a refusal counts
 */
export async function readApprovalAnswer(
  folder: string,
  approval: SignedApproval,
  key: ApprovalKey | undefined,
): Promise<CallDecision | undefined> {
  const path = join(folder, `${approval.id}.answer`);
  const text = await readOwnFile(path);
  if (text === undefined) return undefined;
  const [, answer, signature = "", printed = ""] = /^(\w+) ?(\S*) ?([^]*)$/.exec(text) ?? [];
  // Refusing needs no signature: the way is what the one who refuses says.
  if (answer === "refuse")
    return {
      verdict: "refused",
      by: { way: toWay(signature) },
      ...withoutUndefined({ reason: printed || undefined }),
    };
  // What is signed is the person's own, and the host holds it against the schemas.
  if (answer === "decide" && key !== undefined && isSigned(textOf(approval, printed), signature, key)) {
    const decision = JSON.parse(printed) as CallDecision;
    return { ...decision, by: { way: toWay(decision.by?.way) } };
  }
  // It is not the person's, whose own must find room.
  await rm(path, { force: true, recursive: true });
  return undefined;
}

function toWay(word: string | undefined): FileWay {
  return word === "page" ? word : "terminal";
}

/** Removes a question and its answer, also where a folder stands in the place of one. */
export async function removeApproval(folder: string, id: string): Promise<void> {
  for (const kind of ["json", "answer"]) await rm(join(folder, `${id}.${kind}`), { force: true, recursive: true });
}

const KEYS = [
  "project",
  "client",
  "tools",
  "until",
  "pid",
  "host",
  "clientProcesses",
  "names",
  "whole",
  "script",
  "machine",
  "started",
  "verifiesWith",
];

function parseApproval(id: string, text: string | undefined): WrittenApproval | undefined {
  try {
    const value = JSON.parse(text ?? "") as JsonObject;
    if (!isJsonObject(value)) return undefined;
    const found = KEYS.map((key) => ownValue(value, key));
    const [project, client, tools, until, pid, host, clientProcesses, names, whole, script] = found;
    const [machine, started, verifiesWith] = found.slice(10);
    if (typeof project !== "string" || typeof until !== "number" || typeof pid !== "number") return undefined;
    if (typeof machine !== "string" || !isTexts(tools)) return undefined;
    const isListed = Array.isArray(clientProcesses) && clientProcesses.every((each) => typeof each === "number");
    return {
      ...{ id, kind: kindOf(whole), project, tools, until, pid, host: String(host), machine },
      started: typeof started === "string" ? started : undefined,
      verifiesWith: typeof verifiesWith === "string" ? verifiesWith : undefined,
      client: typeof client === "string" ? client : undefined,
      clientProcesses: isListed ? clientProcesses : undefined,
      names: isTexts(names) ? names : undefined,
      whole: isTexts(whole) ? whole : undefined,
      script: isTexts(script) ? script : undefined,
    };
  } catch {
    return undefined;
  }
}

/** The kind of a question that another program may have written: what an answer signs says it. */
function kindOf(whole: unknown): WaitingApproval["kind"] {
  return isTexts(whole) ? "call" : "script";
}

function isTexts(value: unknown): value is string[] {
  // An empty list is signed as one that is not there.
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
}

function isWaiting({ until, ...process }: WrittenApproval): boolean {
  return until >= clock.wall() && mayRun(process);
}

function withoutProcess({
  pid: _pid,
  host: _host,
  machine: _machine,
  started: _started,
  ...approval
}: WrittenApproval): WaitingApproval {
  return approval;
}
