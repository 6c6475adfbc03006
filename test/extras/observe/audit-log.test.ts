import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type AuditLog, makeAuditLog } from "../../../extras/observe/audit/audit-log.ts";
import { makePayloads } from "../../../extras/observe/audit/payloads.ts";
import { openAudit } from "../../../extras/observe/audit/open-audit.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import type { HostEvent } from "../../../schemas/run/events.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { testOnPosix } from "../../platforms/needs.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const TURNED_AWAY = { event: "run.turned-away", code: "QUEUE_FULL" } as const;

async function makeLogs(): Promise<{ file: string; problems: string[]; open(name?: string): AuditLog }> {
  const folder = await makeTestFolder();
  const problems: string[] = [];
  return {
    file: join(folder, "audit.jsonl"),
    problems,
    open(name = "audit.jsonl") {
      const onProblem = (reason: string): void => void problems.push(reason);
      const log = makeAuditLog(join(folder, name), (value) => value, onProblem);
      onTestFinished(log.close);
      return log;
    },
  };
}

const clientsOf = async (file: string): Promise<unknown[]> =>
  (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { client?: unknown }).client);

testOnPosix("modes of files")("several logs share a file, and the mode that its owner gave it stays", async () => {
  const { file, open } = await makeLogs();
  const [one, other] = [open(), open()];
  one.write({ ...TURNED_AWAY, client: "one" });
  await chmod(file, 0o640);
  other.write({ ...TURNED_AWAY, client: "other" });
  one.write({ ...TURNED_AWAY, client: "one again" });
  expect(await clientsOf(file)).toEqual(["one", "other", "one again"]);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
});

test("a line that was cut short by the end of its process takes no other one with it", async () => {
  const { file, open } = await makeLogs();
  await writeFile(file, '{"v":1,"time":"t","client":"one"}\n{"v":1,"time":"t","client":"cut sh');
  const [log, other] = [open(), open()];
  log.write({ ...TURNED_AWAY, client: "two" });
  other.write({ ...TURNED_AWAY, client: "three" });
  log.write({ ...TURNED_AWAY, client: "four" });
  const [first, cut, ...later] = (await readFile(file, "utf8")).trimEnd().split("\n");
  expect([first, cut]).toEqual([...['{"v":1,"time":"t","client":"one"}', '{"v":1,"time":"t","client":"cut sh']]);
  expect(later.map((line) => (JSON.parse(line) as { client?: unknown }).client)).toEqual(["two", "three", "four"]);
});

test("a path that is not a file is refused, and reported once until it works again", async () => {
  const { file, problems, open } = await makeLogs();
  const log = open("missing/audit.jsonl");
  let broken = 0;
  log.onBroken(() => (broken += 1));
  expect([log.prepare(), log.write(TURNED_AWAY), log.isBroken()]).toEqual([false, false, true]);
  expect([broken, problems]).toEqual([2, [expect.stringContaining("ENOENT")]]);

  const device = makeAuditLog(
    "/dev/null",
    (value) => value,
    (reason) => problems.push(reason),
  );
  expect([device.prepare(), device.write(TURNED_AWAY)]).toEqual([false, false]);
  expect(problems.slice(1)).toEqual(["it is not a file"]);

  const fine = open();
  await writeFile(file, "");
  expect([fine.prepare(), fine.write(TURNED_AWAY), fine.isBroken()]).toEqual([true, true, false]);
});

test("payloads are as long as allowed, without what is redacted, and absent unless asked for", () => {
  const input = (): { [key: string]: string } => ({ pin: "4711-0815", note: "my pin is 4711-0815" });
  const result = () => ({ content: [{ type: "text", text: "pin 4711-0815" }] });
  const limits = { redact: ["pin"], maxPayloadBytes: 100 };

  const none = makePayloads({ ...limits, payloads: false })();
  expect([none.ofInput(input), none.ofResult(result)]).toEqual([{}, {}]);
  const inputs = makePayloads({ ...limits, payloads: "inputs" })();
  expect([inputs.ofInput(() => "x".repeat(98)), inputs.ofResult(result)]).toEqual([{ input: "x".repeat(98) }, {}]);
  expect(inputs.ofInput(() => "x".repeat(99))).toEqual({});

  const all = makePayloads({ ...limits, payloads: "all" })();
  const written = JSON.stringify([all.ofInput(input), all.ofResult(result)]);
  expect(written).toMatch(/my pin is redacted_pin/);
  expect(written).not.toContain("4711");
});

test("a result of any depth is written down or left out, and nothing else is left out with it", () => {
  const nested = (depth: number): JsonObject =>
    JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`) as JsonObject;
  for (const redact of [[], ["pin"]]) {
    const limits = { payloads: "all", redact, maxPayloadBytes: 1_000_000 } as const;
    const { ofResult } = makePayloads(limits)();
    expect(ofResult(() => nested(200))).toEqual({ result: nested(200) });
    for (let depth = 1000; depth < 8000; depth += 500) expect(ofResult(() => nested(depth))).toEqual({});
  }
});

test("a line that cannot be made stops a run that has to be in the log, and the next lines are written", async () => {
  const folder = await makeTestFolder();
  const settings = { ...DEFAULTS.audit, file: "audit.jsonl", required: true, payloads: "all" } as const;
  const config = toConfig({ mcpServers: {} }, "config.json", folder);
  const notes: string[] = [];
  const audit = openAudit(config, settings, (line) => void notes.push(line));
  onTestFinished(() => audit.close());
  const emit = (event: HostEvent): void => audit.listeners.forEach((listener) => void listener(event));
  const run = { runId: "1", origin: "cli", subject: { kind: "script", name: "a.ts" } } as const;
  const input = (): never => {
    throw new Error("no such input");
  };
  const inside = async (signal: AbortSignal) => {
    emit({ type: "run-started", run });
    const call = { serverId: "a", toolName: "b", number: 1, run };
    emit({ type: "call-checked", ...call, input, inputBytes: () => 1 });
    expect(signal.aborted).toBe(true);
    const end = { durationMs: 1, calls: 1, resultBytes: () => 0, logBytes: () => 0 };
    emit({ type: "run-ended", run, ok: false, codes: [], ...end });
    return failedAnswer([]);
  };
  expect(await audit.gate?.whileWritten(undefined, inside)).toBeUndefined();
  expect(audit.gate?.refusal.code).toBe("AUDIT_FAILED");
  const lines = (await readFile(join(folder, settings.file), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["run.started", "run.ended"]);
  expect(notes).toEqual([expect.stringContaining("no such input")]);
});
