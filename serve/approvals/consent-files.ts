import { constants } from "node:fs";
import { lstat, open, readdir, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { stateFolder } from "@codemode/runtime/state-folder";
import { makePrivateFolder, writePrivately } from "../../engine/files.ts";
import { fileInaccessible } from "../../schemas/errors.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../schemas/json/json.ts";

// Processes that serve and `codemode approvals` meet in a folder of the state folder: a file for each question, and beside it one for
// its answer. Who can write there is this account, which can run every script itself.

/** A consent that a run waits for. It holds names only: no code, no input and no value. */
export interface WaitingConsent {
  /** 128 random bits, in hexadecimal digits. */
  id: string;
  /** The folder of its configuration. */
  project: string;
  /** As in `Access`. */
  client?: string;
  /** One line for each tool, safe to be shown. */
  tools: readonly string[];
  /** When it no longer waits, in milliseconds since the epoch. */
  until: number;
}

interface WrittenConsent extends WaitingConsent {
  pid: number;
  host: string;
}

export type ConsentAnswer = "approve" | "refuse";

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 1000;
const ID = /^[0-9a-f]{32}$/;

/**
 * The folder of the consents, which is made where it does not exist.
 * @throws CodemodeError `FILE_INACCESSIBLE` where it is not this account's alone
 */
export async function openConsentFolder(): Promise<string> {
  const folder = join(stateFolder(), "approvals");
  const found = await lstat(folder).catch(() => undefined);
  const isOwn = found === undefined || (found.isDirectory() && isOwned(found.uid));
  if (!isOwn) throw fileInaccessible(folder, "it is not a folder of this account");
  await makePrivateFolder(folder);
  return folder;
}

/** Writes a question for the person at a terminal. */
export async function writeConsent(folder: string, consent: WaitingConsent): Promise<void> {
  const written: WrittenConsent = { ...consent, pid: process.pid, host: hostname() };
  await writePrivately(join(folder, `${consent.id}.json`), JSON.stringify(written));
}

/** All consents that are waited for and have no answer yet, those of ended processes removed. */
export async function listConsents(folder: string): Promise<WaitingConsent[]> {
  const consents: WaitingConsent[] = [];
  const names = await readdir(folder);
  const answers = new Set(names.filter((name) => name.endsWith(".answer")));
  for (const name of names.slice(0, MAX_FILES)) {
    const [id = "", kind] = name.split(".");
    if (!ID.test(id)) continue;
    const written = parseConsent(id, await readPrivate(join(folder, `${id}.json`)));
    if (written === undefined || !isWaiting(written)) await removeConsent(folder, id);
    else if (kind === "json" && !answers.has(`${id}.answer`)) consents.push(withoutProcess(written));
  }
  return consents.toSorted((left, right) => left.until - right.until || (left.id < right.id ? -1 : 1));
}

/** Answers a question. False where it is not waited for (in this project, if one is named), or has an answer. */
export async function answerConsent(
  folder: string,
  id: string,
  answer: ConsentAnswer,
  inProject?: string,
): Promise<boolean> {
  const found = (await listConsents(folder)).find((consent) => consent.id === id);
  if (found === undefined || (inProject !== undefined && found.project !== inProject)) return false;
  try {
    await writeFile(join(folder, `${id}.answer`), answer, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The answer to a question, as soon as there is one. */
export async function readConsentAnswer(folder: string, id: string): Promise<ConsentAnswer | undefined> {
  const text = await readPrivate(join(folder, `${id}.answer`));
  return text === "approve" || text === "refuse" ? text : undefined;
}

/** Removes a question and its answer. */
export async function removeConsent(folder: string, id: string): Promise<void> {
  for (const kind of ["json", "answer"]) await rm(join(folder, `${id}.${kind}`), { force: true });
}

/** The text of a file of this account, which is no link; undefined for everything else. */
async function readPrivate(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    if (!facts.isFile() || !isOwned(facts.uid) || facts.size > MAX_BYTES) return undefined;
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Windows has no such ids. */
function isOwned(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function parseConsent(id: string, text: string | undefined): WrittenConsent | undefined {
  try {
    const value = JSON.parse(text ?? "") as JsonObject;
    if (!isJsonObject(value)) return undefined;
    const [project, client, tools, until, pid, host] = ["project", "client", "tools", "until", "pid", "host"].map(
      (key) => ownValue(value, key),
    );
    if (typeof project !== "string" || typeof until !== "number" || typeof pid !== "number") return undefined;
    if (!Array.isArray(tools) || !tools.every((tool) => typeof tool === "string")) return undefined;
    return { id, project, tools, until, pid, host: String(host), ...(typeof client === "string" && { client }) };
  } catch {
    return undefined;
  }
}

function isWaiting({ until, pid, host }: WrittenConsent): boolean {
  if (until < Date.now()) return false;
  if (host !== hostname()) return true;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function withoutProcess({ pid: _pid, host: _host, ...consent }: WrittenConsent): WaitingConsent {
  return consent;
}
