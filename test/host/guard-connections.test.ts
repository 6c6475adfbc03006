import { beforeEach, describe, expect, test } from "vitest";
import { DriftRefusal, guardConnections } from "../../runtime/host/lock/guard-connections.ts";
import { type Access, visibleLockfile } from "../../schemas/access/access.ts";
import { DEFAULTS, type DriftPolicy } from "../../schemas/config/config-file.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ToolToApprove } from "../../schemas/run/approval.ts";
import { configOf, READ, resetServer, server, setUp, WRITE } from "./changing-server.ts";
import { beginRun, CHANGED, ofFiles, OWN, restartWith } from "./guarded-run.ts";
import { runOf } from "./run-of.ts";

beforeEach(resetServer);

describe("a server that was started again in the middle of a run", () => {
  test("ends the calls where a tool of the script has changed, and says so once", async () => {
    const { call, findings, events } = await beginRun("refuse");
    await call("read");
    restartWith(CHANGED, WRITE);
    for (const name of ["read", "write"]) {
      await expect(call(name)).rejects.toMatchObject({
        name: "DriftRefusal",
        message: 'The server "files" differs from the lockfile (tools changed: read).',
        error: { errorClass: "ToolCallError", hint: expect.stringContaining("accept it, then run the script again") },
      });
    }
    expect(server.calls).toEqual(["read"]);
    expect(findings).toMatchObject([{ severity: "error", code: "LOCK_DRIFT" }]);
    expect(events).toMatchObject([{ handling: "refused", toolsChanged: ["read"] }]);
  });

  test("goes on where the script has none of the tools that changed", async () => {
    const { call, findings, events } = await beginRun("refuse", { manifest: { tools: [ofFiles("write")] } });
    restartWith(CHANGED, WRITE);
    await call("write");
    expect(server.calls).toEqual(["write"]);
    expect(findings).toMatchObject([{ severity: "warning", message: expect.stringContaining("changed: read") }]);
    expect(events).toMatchObject([{ handling: "warned" }]);
  });

  test.each<[DriftPolicy, RegExp]>([
    ["warn", /check what the calls after it returned/],
    ["refresh", /which keeps the earlier tools/],
  ])("is called where drift is only reported (%s)", async (drift, hint) => {
    const { call, findings } = await beginRun(drift);
    await call("read");
    restartWith(CHANGED, WRITE);
    await call("read");
    await call("write");
    expect(server.calls).toEqual(["read", "read", "write"]);
    expect(findings).toMatchObject([
      { severity: "warning", message: expect.stringContaining("changed: read"), hint: expect.stringMatching(hint) },
    ]);
  });

  test.each<[string, Partial<ToolToApprove>, boolean]>([
    ["the tool that changed", { serverId: "files", toolName: "read" }, false],
    ["another tool", { serverId: "files", toolName: "write" }, true],
    ["a tool of that name on another server", { serverId: "notes", toolName: "read" }, true],
  ])("with `refresh`, and a person has allowed %s", async (_name, granted, isCalled) => {
    const { call } = await beginRun("refresh", { granted: [granted as ToolToApprove] });
    restartWith(CHANGED, WRITE);
    const called = await call("write").then(
      () => true,
      (error: unknown) => error instanceof DriftRefusal && false,
    );
    expect([called, server.calls]).toEqual([isCalled, isCalled ? ["write"] : []]);
  });

  test("as the answer of the run says already is not reported again", async () => {
    const { lock, look, lockfile } = await setUp({ drift: "refuse" });
    server.tools = [CHANGED];
    await look();
    const findings: Diagnostic[] = [];
    const run = runOf({ lockfile, seen: lock.seen(["files"], OWN), report: (finding) => findings.push(finding) });
    const of = { lock, drift: "refuse", audience: "person", askAboutChange: async () => false } as const;
    await (await guardConnections(of, run)("files")).callTool("read", {});
    expect([server.calls, findings]).toEqual([["read"], []]);
  });

  test("is named to a client as far as its access shows it", async () => {
    const blind: Access = { ...OWN, client: "bot", policies: [{ ...DEFAULTS.policy, deny: ["files/read"] }] };
    const { call, findings, events } = await beginRun("refuse", {
      ...{ access: blind, manifest: { tools: [ofFiles("write")] } },
    });
    restartWith(CHANGED, WRITE);
    await call("write");
    expect([server.calls, findings]).toEqual([["write"], []]);
    expect(events).toMatchObject([{ handling: "warned" }]);
  });

  test("is compared with what a client sees of it, where it does not see all", async () => {
    const narrow: Access = { ...OWN, client: "bot", policies: [{ ...DEFAULTS.policy, deny: ["files/read"] }] };
    const { lockfile } = await beginRun("refuse");
    const { call, events, findings } = await beginRun("refuse", {
      ...{ access: narrow, lockfile: visibleLockfile(lockfile, narrow), manifest: { tools: [ofFiles("read")] } },
    });
    restartWith(CHANGED, { ...WRITE, description: "Writes, and more." });
    await call("write");
    expect(findings).toMatchObject([
      { severity: "warning", message: expect.stringContaining("(tools changed: write)") },
    ]);
    expect(events).toMatchObject([{ handling: "warned", toolsAdded: [], toolsChanged: ["write"] }]);
  });

  test("is called without a word where it is as it was bound, also where it was another when the run began", async () => {
    const { call, findings, events } = await beginRun("refuse", { seen: new Map() });
    await call("read");
    expect([server.calls, findings, events]).toEqual([["read"], [], []]);
  });

  test("is reported to observers with what is new and hidden", async () => {
    const narrow: Access = { ...OWN, policies: [{ ...DEFAULTS.policy, deny: ["files/zip"] }] };
    const { call, events } = await beginRun("refuse", { access: narrow });
    restartWith(READ, WRITE, { name: "zip" });
    await call("read");
    expect(events).toMatchObject([{ handling: "warned", toolsAdded: ["zip"] }]);
  });

  test("is named as new where the run was bound without it", async () => {
    const { call, findings } = await beginRun("refuse", { lockfile: { servers: new Map() }, seen: new Map() });
    await call("write");
    expect(findings).toMatchObject([{ message: expect.stringContaining("was not in the lockfile yet") }]);
  });

  test("is called with `warn`, also where a person has allowed another before", async () => {
    const { call } = await beginRun("warn", { granted: [ofFiles("read")] });
    restartWith(CHANGED, WRITE);
    await call("read");
    expect(server.calls).toEqual(["read"]);
  });
});

describe("with `review`, a tool that has changed in the middle of a run", () => {
  const asking = (answer: boolean) => {
    const asked: string[] = [];
    const askAboutChange = async (serverId: string, name: string) => {
      asked.push(`${serverId}/${name}`);
      return answer;
    };
    return { asked, askAboutChange };
  };

  test("is called where a person accepts it, who is asked once for all calls of it", async () => {
    const { asked, askAboutChange } = asking(true);
    const { call, findings } = await beginRun("review", { askAboutChange });
    restartWith(CHANGED, WRITE);
    await Promise.all([call("read"), call("read")]);
    await call("read");
    expect([asked, server.calls.length, findings]).toEqual([["files/read"], 3, []]);
    server.tools = [{ ...READ, description: "Reads, and sends." }, WRITE];
    server.generation = {};
    await call("read");
    expect(asked).toEqual(["files/read", "files/read"]);
  });

  test("is not called where a person refuses it, and others are", async () => {
    const { asked, askAboutChange } = asking(false);
    const { call, findings } = await beginRun("review", { askAboutChange });
    restartWith(CHANGED, WRITE);
    await call("write");
    expect(asked).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      await expect(call("read")).rejects.toMatchObject({
        message: 'The server "files" differs from the lockfile (tools changed: read).',
        error: { hint: expect.stringContaining("a person is then asked about the change") },
      });
    }
    expect([asked, server.calls]).toEqual([["files/read"], ["write"]]);
    expect(findings).toMatchObject([{ severity: "error", code: "LOCK_DRIFT" }]);
  });

  test("is not called where no person can be asked", async () => {
    const { call } = await beginRun("review");
    restartWith(CHANGED, WRITE);
    await expect(call("read")).rejects.toBeInstanceOf(DriftRefusal);
    expect(server.calls).toEqual([]);
  });

  test("is not called where it is gone", async () => {
    const { asked, askAboutChange } = asking(false);
    const { call } = await beginRun("review", { askAboutChange });
    restartWith(WRITE);
    await expect(call("read")).rejects.toThrow("removed: read");
    expect([asked, server.calls]).toEqual([["files/read"], []]);
  });

  test("is not called where it is new, and none of the script", async () => {
    const { call } = await beginRun("review");
    restartWith(READ, WRITE, { name: "zip" });
    await expect(call("zip")).rejects.toThrow('The tool "zip" of "files" is not as it was locked.');
    expect(server.calls).toEqual([]);
  });

  test("is called where its server is not configured, and so is not listed", async () => {
    const { call } = await beginRun("review", {}, { config: configOf({}, []) });
    restartWith(CHANGED, WRITE);
    await call("read");
    expect([server.calls, server.lists]).toEqual([["read"], 0]);
  });

  test("is a finding where the script has it alone", async () => {
    const { call, findings, events } = await beginRun("review", { manifest: { tools: [ofFiles("write")] } });
    restartWith(CHANGED, WRITE);
    await call("write");
    await expect(call("read")).rejects.toThrow('The tool "read" of "files" is not as it was locked.');
    expect([findings, events]).toEqual([[], []]);
  });
});
