import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownerHere } from "../../engine/files.ts";
import { makeConsentDesk } from "../../serve/approvals/consent-desk.ts";
import {
  decideConsent,
  isOfOtherKey,
  linesOf,
  listConsents,
  openConsentFolder,
  readConsentAnswer,
  refuseConsent,
  removeConsent,
  type WaitingConsent,
  writeConsent,
} from "../../serve/approvals/consent-files.ts";
import { makeQuestions } from "../../serve/approvals/questions.ts";
import { type ApprovalKey, readApprovalKey, setPassphrase } from "../../engine/approval-secret.ts";
import { setPassphraseIn } from "../e2e/set-passphrase.ts";
import { testOnPosix } from "../platforms/needs.ts";

let state = "";

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "codemode-test-"));
  await setPassphraseIn(state);
  vi.stubEnv("XDG_STATE_HOME", state);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(state, { recursive: true });
});

const PASSPHRASE = "correct horse battery";
const keyNow = async (): Promise<ApprovalKey> => (await readApprovalKey()) as ApprovalKey;
const ID = "0123456789abcdef0123456789abcdef";
const TOOL = '- "files/write": says that it may destroy';
const aConsent = (changed: Partial<WaitingConsent> = {}): WaitingConsent => ({
  ...{ id: ID, kind: "script", project: "/project", tools: [TOOL], until: Date.now() + 60_000 },
  ...changed,
});

const tools = [{ serverId: "files", toolName: "write", annotations: { destructiveHint: true } }];
const request = { tools, digest: "sha256-x" };
const unaborted = (): AbortSignal => new AbortController().signal;
const deskOf = (waitMs = 60_000, onFailure: (error: unknown) => void = () => undefined) =>
  makeConsentDesk({ project: "/project", waitMs, onFailure, key: readApprovalKey() });

test("an answer counts for the question that was shown, also where another program has put another one into its file meanwhile", async () => {
  const folder = await openConsentFolder();
  await writeConsent(folder, aConsent());
  const questions = makeQuestions(undefined);
  const [shown] = await questions.find(ID);
  await writeConsent(folder, aConsent({ tools: ['- "files/delete_all": says nothing of its effects'] }));
  const proof = { passphrase: async () => PASSPHRASE, way: "terminal" as const };
  for (const verdict of ["granted", "refused"] as const)
    for (const digest of [shown?.digest, undefined])
      expect(await questions.answer(ID, { verdict }, { ...proof, digest })).toBe("stale");
  const [now] = await questions.find(ID);
  expect(await questions.answer(ID, { verdict: "granted" }, { ...proof, digest: now?.digest })).toBe("given");
});

test("what waits in a process that began before the passphrase was set is listed, says where it is answered, and can be refused", async () => {
  const key = await keyNow();
  const before = { ...key, publicKey: "of the passphrase before" };
  const ask = (own: ApprovalKey | undefined) =>
    makeConsentDesk({
      ...{ project: "/project", waitMs: 60_000, isAnsweredHere: true, key: Promise.resolve(own) },
      onFailure: (error) => {
        throw error;
      },
    }).ask(request, "ada", unaborted());
  const questions = makeQuestions(undefined);
  for (const own of [undefined, before]) {
    const asked = await ask(own);
    const [shown, ...others] = await questions.list();
    expect(others).toEqual([]);
    expect(isOfOtherKey(shown ?? {}, key)).toBe(true);
    const proof = { digest: shown?.digest, passphrase: async () => PASSPHRASE, way: "terminal" as const };
    expect(await questions.answer(shown?.id ?? "", { verdict: "granted" }, proof)).toEqual({
      problem: expect.stringContaining("began before this passphrase was set"),
    });
    expect(await questions.answer(shown?.id ?? "", { verdict: "refused" }, proof)).toBe("given");
    expect(await asked?.verdict).toMatchObject({ verdict: "refused" });
  }
});

testOnPosix("modes of files")(
  "questions and answers are this account's alone, and a question is answered once",
  async () => {
    const folder = await openConsentFolder();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await writeConsent(folder, aConsent({ client: "ada" }));
    expect((await stat(join(folder, `${ID}.json`))).mode & 0o777).toBe(0o600);
    expect(await listConsents(folder)).toMatchObject([{ id: ID, client: "ada", tools: [TOOL] }]);
    expect(await approveConsent(folder, aConsent(), PASSPHRASE, await keyNow())).toBe("given");
    expect(await listConsents(folder)).toEqual([]);
    expect((await stat(join(folder, `${ID}.answer`))).mode & 0o777).toBe(0o600);
    expect(await refuseConsent(folder, aConsent())).toBe("answered");
    expect(await refuseConsent(folder, { id: "f".repeat(32) })).toBe("gone");
    expect(await refuseConsent(folder, { id: "../../evil" })).toBe("gone");
  },
);

testOnPosix("modes of files")(
  "a folder that others can write to is closed to them, and one that is a link is refused",
  async () => {
    const folder = await openConsentFolder();
    await chmod(folder, 0o777);
    await openConsentFolder();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await rm(folder, { recursive: true });
    await mkdir(join(state, "elsewhere"));
    await symlink(join(state, "elsewhere"), folder);
    await expect(openConsentFolder()).rejects.toMatchObject({ code: "FILE_INACCESSIBLE" });
    const failures: unknown[] = [];
    expect(await deskOf(1000, (error) => failures.push(error)).ask(request, "", unaborted())).toBeUndefined();
    expect(failures).toHaveLength(1);
  },
);

/** Allows what a question asks for. */
function approveConsent(folder: string, consent: WaitingConsent, passphrase: string, key: ApprovalKey) {
  return decideConsent(folder, consent, { verdict: "granted" }, passphrase, key);
}

test("what is stale, broken, too long or a link is no question, and goes away", async () => {
  const folder = await openConsentFolder();
  const file = (index: number): string => join(folder, `${String(index).repeat(32)}.json`);
  await writeConsent(folder, aConsent({ until: Date.now() - 1 }));
  const ended = JSON.stringify({ ...aConsent(), ...ownerHere(), pid: 2 ** 22 + 1 });
  await writeFile(file(1), ended);
  await writeFile(file(2), "{");
  await writeFile(file(3), "[]");
  await writeFile(file(4), JSON.stringify({ ...aConsent(), pid: 1, tools: ["a".repeat(300_000)] }));
  await writeFile(join(state, "other"), JSON.stringify({ ...aConsent(), pid: process.pid, host: "" }));
  await symlink(join(state, "other"), file(5));
  await writeFile(join(folder, `${"6".repeat(32)}.answer`), "approve");
  await writeFile(join(folder, "notes.txt"), "mine");
  expect(await listConsents(folder)).toEqual([]);
  expect(await readdir(folder)).toEqual(["notes.txt"]);
});

test.each([
  ["approve", "granted"],
  ["refuse", "refused"],
] as const)("who answers with %s: %s, and nothing is left", async (answer, verdict) => {
  const folder = await openConsentFolder();
  const asked = await deskOf().ask(request, "ada", unaborted());
  const [consent] = await listConsents(folder);
  expect(consent).toMatchObject({ project: "/project", client: "ada", tools: [TOOL] });
  expect(JSON.stringify(consent)).not.toContain("sha256");
  if (consent === undefined) throw new Error("no question");
  if (answer === "refuse") await refuseConsent(folder, consent);
  else await approveConsent(folder, consent, PASSPHRASE, await keyNow());
  expect(await asked?.verdict).toEqual({ verdict, by: { way: "terminal" } });
  expect(await readdir(folder)).toEqual([]);
});

test("the question ends with its time and with its run; a client has so many, and the others have places left", async () => {
  const folder = await openConsentFolder();
  expect(await (await deskOf(1).ask(request, "", unaborted()))?.verdict).toBe("closed");
  const run = new AbortController();
  const desk = deskOf();
  const asked = await Promise.all(Array.from({ length: 9 }, () => desk.ask(request, "ada", run.signal)));
  expect(asked.filter((each) => each === undefined)).toHaveLength(1);
  expect(await desk.ask(request, "bob", run.signal)).toBeDefined();
  const many = { ...request, tools: Array.from({ length: 101 }, () => tools).flat() };
  expect(await desk.ask(many, "carl", run.signal)).toBeUndefined();
  run.abort();
  expect(await Promise.all(asked.map((each) => each?.verdict))).toContain("closed");
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]));
});

test("without a passphrase of the account no question is put, and one that is set later counts for later processes", async () => {
  await rm(join(state, "codemode"), { recursive: true });
  const desk = deskOf();
  expect(await desk.ask(request, "", unaborted())).toBeUndefined();
  await setPassphrase("of the agent");
  expect(await desk.ask(request, "", unaborted())).toBeUndefined();
  expect(await deskOf().ask(request, "", AbortSignal.abort())).toBeDefined();
});

test.each<[string, (folder: string, consent: WaitingConsent) => Promise<unknown>]>([
  ["without a signature", (folder, { id }) => writeFile(join(folder, `${id}.answer`), "approve")],
  [
    "with another passphrase",
    async (folder, consent) => {
      const before = await keyNow();
      expect(await approveConsent(folder, consent, "a guess", before)).toBe("wrong");
      // The agent sets one of its own: the process that waits knows the one from before.
      await setPassphrase("of the agent");
      await approveConsent(folder, consent, "of the agent", await keyNow());
    },
  ],
  [
    "of other tools under the same id",
    (folder, consent) =>
      keyNow().then((key) => approveConsent(folder, { ...consent, tools: ["- harmless"] }, PASSPHRASE, key)),
  ],
])("an approval %s is none, and leaves room for the person's", async (_what, answer) => {
  const folder = await openConsentFolder();
  const key = await keyNow();
  const asked = await deskOf().ask(request, "", unaborted());
  const [consent] = await listConsents(folder);
  if (consent === undefined) throw new Error("no question");
  await answer(folder, consent);
  await vi.waitFor(async () => expect(await listConsents(folder)).toHaveLength(1), { timeout: 5_000 });
  expect(await readConsentAnswer(folder, consent, key)).toBeUndefined();
  await approveConsent(folder, consent, PASSPHRASE, key);
  expect(await asked?.verdict).toMatchObject({ verdict: "granted" });
});

test("a decision about a call counts for exactly the question that was shown, and as it was made", async () => {
  const folder = await openConsentFolder();
  const key = await keyNow();
  const call = aConsent({ kind: "call", whole: [TOOL, '  "path": "/notes"'] });
  const decision = { verdict: "changed" as const, input: { path: "/other" } };
  const path = join(folder, `${ID}.answer`);
  const decide = async () => {
    await writeConsent(folder, call);
    expect(await decideConsent(folder, call, decision, PASSPHRASE, key)).toBe("given");
    return readFile(path, "utf8");
  };
  const written = await decide();
  expect(await readConsentAnswer(folder, call, key)).toEqual({ ...decision, by: { way: "terminal" } });
  // The same once more is given; another one comes too late.
  expect(await decideConsent(folder, call, decision, PASSPHRASE, key)).toBe("given");
  expect(await approveConsent(folder, call, PASSPHRASE, key)).toBe("answered");

  // Another decision or way under this signature, and the same for other arguments.
  await writeFile(path, written.replace("/other", "/etc"));
  expect(await readConsentAnswer(folder, call, key)).toBeUndefined();
  await writeFile(path, written);
  expect(await readConsentAnswer(folder, { ...call, whole: [TOOL, '  "path": "/etc"'] }, key)).toBeUndefined();
  await writeFile(path, written.replace("terminal", "page"));
  expect(await readConsentAnswer(folder, call, key)).toBeUndefined();
  // What was refused, or was no JSON, leaves room for the person's own answer.
  await decide();
  expect(await readConsentAnswer(folder, call, key)).toEqual({ ...decision, by: { way: "terminal" } });
  await removeConsent(folder, ID);
});

test("an approval of a script counts for the code, the input and the digest that were shown", async () => {
  const folder = await openConsentFolder();
  const key = await keyNow();
  const consent = aConsent({ script: ["  its program: sha256-x", "  | await 1;"] });
  await writeConsent(folder, consent);
  const [shown] = await listConsents(folder);
  expect(shown).toMatchObject(consent);
  await approveConsent(folder, shown as WaitingConsent, PASSPHRASE, key);
  const other = { ...consent, script: ["  its program: sha256-x", "  | await 2;"] };
  const answer = await readFile(join(folder, `${ID}.answer`), "utf8");
  expect(await readConsentAnswer(folder, other, key)).toBeUndefined();
  await writeFile(join(folder, `${ID}.answer`), answer);
  expect(await readConsentAnswer(folder, consent, key)).toMatchObject({ verdict: "granted" });
  await removeConsent(folder, ID);
});

test.each<[WaitingConsent["kind"], object]>([
  ["call", { kind: undefined, whole: [TOOL] }],
  ["script", { kind: undefined }],
  ["call", { kind: "script", whole: [TOOL] }],
  ["script", { kind: "call" }],
  ["script", { kind: "call", whole: [] }],
])(
  "a question about a %s is one where what its answer signs says so, also where its file says otherwise: %j",
  async (kind, file) => {
    const folder = await openConsentFolder();
    await writeConsent(folder, { ...aConsent(), ...file });
    const [shown] = await listConsents(folder);
    expect(shown?.kind).toBe(kind);
    expect(linesOf(shown as WaitingConsent)).toEqual([TOOL]);
    await removeConsent(folder, ID);
  },
);

test("a refusal needs no passphrase, and says why", async () => {
  const folder = await openConsentFolder();
  await writeConsent(folder, aConsent());
  await refuseConsent(folder, aConsent(), "not in this folder");
  expect(await readConsentAnswer(folder, aConsent(), await keyNow())).toEqual({
    verdict: "refused",
    by: { way: "terminal" },
    reason: "not in this folder",
  });
});
