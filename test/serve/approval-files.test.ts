import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownerHere } from "../../engine/files.ts";
import { makeApprovalQueue } from "../../serve/approvals/approval-queue.ts";
import {
  decideApproval,
  isOfOtherKey,
  linesOf,
  listApprovals,
  openApprovalFolder,
  readApprovalAnswer,
  refuseApproval,
  removeApproval,
  type WaitingApproval,
  writeApproval,
} from "../../serve/approvals/approval-files.ts";
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
const anApproval = (changed: Partial<WaitingApproval> = {}): WaitingApproval => ({
  ...{ id: ID, kind: "script", project: "/project", tools: [TOOL], until: Date.now() + 60_000 },
  ...changed,
});

const tools = [{ serverId: "files", toolName: "write", annotations: { destructiveHint: true } }];
const request = { tools, digest: "sha256-x" };
const unaborted = (): AbortSignal => new AbortController().signal;
const deskOf = (waitMs = 60_000, onFailure: (error: unknown) => void = () => undefined) =>
  makeApprovalQueue({ project: "/project", waitMs, onFailure, key: readApprovalKey() });

test("an answer counts for the question that was shown, also where another program has put another one into its file meanwhile", async () => {
  const folder = await openApprovalFolder();
  await writeApproval(folder, anApproval());
  const questions = makeQuestions(undefined);
  const [shown] = await questions.find(ID);
  await writeApproval(folder, anApproval({ tools: ['- "files/delete_all": says nothing of its effects'] }));
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
    makeApprovalQueue({
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
    const folder = await openApprovalFolder();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await writeApproval(folder, anApproval({ client: "ada" }));
    expect((await stat(join(folder, `${ID}.json`))).mode & 0o777).toBe(0o600);
    expect(await listApprovals(folder)).toMatchObject([{ id: ID, client: "ada", tools: [TOOL] }]);
    expect(await approveApproval(folder, anApproval(), PASSPHRASE, await keyNow())).toBe("given");
    expect(await listApprovals(folder)).toEqual([]);
    expect((await stat(join(folder, `${ID}.answer`))).mode & 0o777).toBe(0o600);
    expect(await refuseApproval(folder, anApproval())).toBe("answered");
    expect(await refuseApproval(folder, { id: "f".repeat(32) })).toBe("gone");
    expect(await refuseApproval(folder, { id: "../../evil" })).toBe("gone");
  },
);

testOnPosix("modes of files")(
  "a folder that others can write to is closed to them, and one that is a link is refused",
  async () => {
    const folder = await openApprovalFolder();
    await chmod(folder, 0o777);
    await openApprovalFolder();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await rm(folder, { recursive: true });
    await mkdir(join(state, "elsewhere"));
    await symlink(join(state, "elsewhere"), folder);
    await expect(openApprovalFolder()).rejects.toMatchObject({ code: "FILE_INACCESSIBLE" });
    const failures: unknown[] = [];
    expect(await deskOf(1000, (error) => failures.push(error)).ask(request, "", unaborted())).toBeUndefined();
    expect(failures).toHaveLength(1);
  },
);

/** Allows what a question asks for. */
function approveApproval(folder: string, approval: WaitingApproval, passphrase: string, key: ApprovalKey) {
  return decideApproval(folder, approval, { verdict: "granted" }, passphrase, key);
}

test("what is stale, broken, too long or a link is no question, and goes away", async () => {
  const folder = await openApprovalFolder();
  const file = (index: number): string => join(folder, `${String(index).repeat(32)}.json`);
  await writeApproval(folder, anApproval({ until: Date.now() - 1 }));
  const ended = JSON.stringify({ ...anApproval(), ...ownerHere(), pid: 2 ** 22 + 1 });
  await writeFile(file(1), ended);
  await writeFile(file(2), "{");
  await writeFile(file(3), "[]");
  await writeFile(file(4), JSON.stringify({ ...anApproval(), pid: 1, tools: ["a".repeat(300_000)] }));
  await writeFile(join(state, "other"), JSON.stringify({ ...anApproval(), pid: process.pid, host: "" }));
  await symlink(join(state, "other"), file(5));
  await writeFile(join(folder, `${"6".repeat(32)}.answer`), "approve");
  await writeFile(join(folder, "notes.txt"), "mine");
  expect(await listApprovals(folder)).toEqual([]);
  expect(await readdir(folder)).toEqual(["notes.txt"]);
});

test.each([
  ["approve", "granted"],
  ["refuse", "refused"],
] as const)("who answers with %s: %s, and nothing is left", async (answer, verdict) => {
  const folder = await openApprovalFolder();
  const asked = await deskOf().ask(request, "ada", unaborted());
  const [approval] = await listApprovals(folder);
  expect(approval).toMatchObject({ project: "/project", client: "ada", tools: [TOOL] });
  expect(JSON.stringify(approval)).not.toContain("sha256");
  if (approval === undefined) throw new Error("no question");
  if (answer === "refuse") await refuseApproval(folder, approval);
  else await approveApproval(folder, approval, PASSPHRASE, await keyNow());
  expect(await asked?.verdict).toEqual({ verdict, by: { way: "terminal" } });
  expect(await readdir(folder)).toEqual([]);
});

test("the question ends with its time and with its run; a client has so many, and the others have places left", async () => {
  const folder = await openApprovalFolder();
  expect(await (await deskOf(1).ask(request, "", unaborted()))?.verdict).toBe("closed");
  const run = new AbortController();
  const approvalQueue = deskOf();
  const asked = await Promise.all(Array.from({ length: 9 }, () => approvalQueue.ask(request, "ada", run.signal)));
  expect(asked.filter((each) => each === undefined)).toHaveLength(1);
  expect(await approvalQueue.ask(request, "bob", run.signal)).toBeDefined();
  const many = { ...request, tools: Array.from({ length: 101 }, () => tools).flat() };
  expect(await approvalQueue.ask(many, "carl", run.signal)).toBeUndefined();
  run.abort();
  expect(await Promise.all(asked.map((each) => each?.verdict))).toContain("closed");
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]));
});

test("without a passphrase of the account no question is put, and one that is set later counts for later processes", async () => {
  await rm(join(state, "codemode"), { recursive: true });
  const approvalQueue = deskOf();
  expect(await approvalQueue.ask(request, "", unaborted())).toBeUndefined();
  await setPassphrase("of the agent");
  expect(await approvalQueue.ask(request, "", unaborted())).toBeUndefined();
  expect(await deskOf().ask(request, "", AbortSignal.abort())).toBeDefined();
});

test.each<[string, (folder: string, approval: WaitingApproval) => Promise<unknown>]>([
  ["without a signature", (folder, { id }) => writeFile(join(folder, `${id}.answer`), "approve")],
  [
    "with another passphrase",
    async (folder, approval) => {
      const before = await keyNow();
      expect(await approveApproval(folder, approval, "a guess", before)).toBe("wrong");
      // The agent sets one of its own: the process that waits knows the one from before.
      await setPassphrase("of the agent");
      await approveApproval(folder, approval, "of the agent", await keyNow());
    },
  ],
  [
    "of other tools under the same id",
    (folder, approval) =>
      keyNow().then((key) => approveApproval(folder, { ...approval, tools: ["- harmless"] }, PASSPHRASE, key)),
  ],
])("an approval %s is none, and leaves room for the person's", async (_what, answer) => {
  const folder = await openApprovalFolder();
  const key = await keyNow();
  const asked = await deskOf().ask(request, "", unaborted());
  const [approval] = await listApprovals(folder);
  if (approval === undefined) throw new Error("no question");
  await answer(folder, approval);
  await vi.waitFor(async () => expect(await listApprovals(folder)).toHaveLength(1), { timeout: 5_000 });
  expect(await readApprovalAnswer(folder, approval, key)).toBeUndefined();
  await approveApproval(folder, approval, PASSPHRASE, key);
  expect(await asked?.verdict).toMatchObject({ verdict: "granted" });
});

test("a decision about a call counts for exactly the question that was shown, and as it was made", async () => {
  const folder = await openApprovalFolder();
  const key = await keyNow();
  const call = anApproval({ kind: "call", whole: [TOOL, '  "path": "/notes"'] });
  const decision = { verdict: "changed" as const, input: { path: "/other" } };
  const path = join(folder, `${ID}.answer`);
  const decide = async () => {
    await writeApproval(folder, call);
    expect(await decideApproval(folder, call, decision, PASSPHRASE, key)).toBe("given");
    return readFile(path, "utf8");
  };
  const written = await decide();
  expect(await readApprovalAnswer(folder, call, key)).toEqual({ ...decision, by: { way: "terminal" } });
  // The same once more is given; another one comes too late.
  expect(await decideApproval(folder, call, decision, PASSPHRASE, key)).toBe("given");
  expect(await approveApproval(folder, call, PASSPHRASE, key)).toBe("answered");

  // Another decision or way under this signature, and the same for other arguments.
  await writeFile(path, written.replace("/other", "/etc"));
  expect(await readApprovalAnswer(folder, call, key)).toBeUndefined();
  await writeFile(path, written);
  expect(await readApprovalAnswer(folder, { ...call, whole: [TOOL, '  "path": "/etc"'] }, key)).toBeUndefined();
  await writeFile(path, written.replace("terminal", "page"));
  expect(await readApprovalAnswer(folder, call, key)).toBeUndefined();
  // What was refused, or was no JSON, leaves room for the person's own answer.
  await decide();
  expect(await readApprovalAnswer(folder, call, key)).toEqual({ ...decision, by: { way: "terminal" } });
  await removeApproval(folder, ID);
});

test("an approval of a script counts for the code, the input and the digest that were shown", async () => {
  const folder = await openApprovalFolder();
  const key = await keyNow();
  const approval = anApproval({ script: ["  its program: sha256-x", "  | await 1;"] });
  await writeApproval(folder, approval);
  const [shown] = await listApprovals(folder);
  expect(shown).toMatchObject(approval);
  await approveApproval(folder, shown as WaitingApproval, PASSPHRASE, key);
  const other = { ...approval, script: ["  its program: sha256-x", "  | await 2;"] };
  const answer = await readFile(join(folder, `${ID}.answer`), "utf8");
  expect(await readApprovalAnswer(folder, other, key)).toBeUndefined();
  await writeFile(join(folder, `${ID}.answer`), answer);
  expect(await readApprovalAnswer(folder, approval, key)).toMatchObject({ verdict: "granted" });
  await removeApproval(folder, ID);
});

test.each<[WaitingApproval["kind"], object]>([
  ["call", { kind: undefined, whole: [TOOL] }],
  ["script", { kind: undefined }],
  ["call", { kind: "script", whole: [TOOL] }],
  ["script", { kind: "call" }],
  ["script", { kind: "call", whole: [] }],
])(
  "a question about a %s is one where what its answer signs says so, also where its file says otherwise: %j",
  async (kind, file) => {
    const folder = await openApprovalFolder();
    await writeApproval(folder, { ...anApproval(), ...file });
    const [shown] = await listApprovals(folder);
    expect(shown?.kind).toBe(kind);
    expect(linesOf(shown as WaitingApproval)).toEqual([TOOL]);
    await removeApproval(folder, ID);
  },
);

test("a refusal needs no passphrase, and says why", async () => {
  const folder = await openApprovalFolder();
  await writeApproval(folder, anApproval());
  await refuseApproval(folder, anApproval(), "not in this folder");
  expect(await readApprovalAnswer(folder, anApproval(), await keyNow())).toEqual({
    verdict: "refused",
    by: { way: "terminal" },
    reason: "not in this folder",
  });
});
