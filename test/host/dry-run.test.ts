import { expect, test } from "vitest";
import { makeDryRun, withoutSkipped } from "../../runtime/host/checks/dry-run.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";
import type { SkippedCall } from "../../schemas/run/events.ts";
import { printSkippedCall } from "../../schemas/run/tool-call-event.ts";
import { lockedServer } from "../templates/lockfile-of.ts";

const outputSchema = { type: "object", required: ["sent"], properties: { sent: { type: "integer", minimum: 3 } } };
const { tools } = lockedServer("mail", [
  { name: "read", annotations: { readOnlyHint: true } },
  { name: "send", annotations: { readOnlyHint: false }, outputSchema },
  { name: "silent" },
  { name: "claims", annotations: { readOnlyHint: "true" } },
]);

/** What each call is answered, and what is said of it. */
function dryRun(...calls: [name: string, input?: JsonObject, asks?: true][]) {
  const skipped: SkippedCall[] = [];
  const run = makeDryRun(
    makeOutputCheck(),
    (event) => void (event.type === "call-skipped" && skipped.push(event.call)),
  );
  const answers = calls.map(([toolName, input = {}, asks]) =>
    run.answer(tools.find(({ name }) => name === toolName) as LockedTool, { serverId: "mail", toolName, input }, asks),
  );
  return { answers, lines: skipped.map(printSkippedCall), findings: run.findings() };
}

const text = (name: string) => ({
  content: [{ type: "text", text: `[dry run: mail/${name} was not called]` }],
});

test("what claims to read is called, all else answers what its schema promises or says that it was not called", () => {
  const { answers, lines, findings } = dryRun(["read"], ["send", { id: 2 }], ["silent"], ["claims"], ["send"]);
  const sent = { ...text("send"), structuredContent: { sent: 3 } };
  expect(answers).toEqual([undefined, sent, text("silent"), text("claims"), sent]);
  expect(lines).toEqual([
    'not called (1): mail/send {"id":2}',
    "not called (2): mail/silent {}",
    "not called (3): mail/claims {}",
    "not called (4): mail/send {}",
  ]);
  expect(findings.map(({ severity, code, message }) => [severity, code, message])).toEqual([
    ["info", "DRY_RUN", "mail/send was not called: 2 calls returned a placeholder."],
    ["info", "DRY_RUN", "mail/silent was not called: 1 call returned a placeholder."],
    ["info", "DRY_RUN", "mail/claims was not called: 1 call returned a placeholder."],
  ]);
});

test("what a person would be asked about at the call is not called, also where it claims to read", () => {
  const { answers, lines } = dryRun(["read", {}, true]);
  expect([answers, lines]).toEqual([[text("read")], ["not called (1, asks first): mail/read {}"]]);
});

test("approval is needed for the calls that are made, and for no others", () => {
  const asked = tools.map((tool) => ({ serverId: "mail", toolName: tool.name, ...tool }));
  const request = { tools: asked, digest: "sha256-x" } as unknown as Parameters<typeof withoutSkipped>[0];
  expect(withoutSkipped(request)).toEqual({ tools: [expect.objectContaining({ name: "read" })], digest: "sha256-x" });
});

test("a listed input is one line of limited length, with any content", () => {
  const [line = "", ...others] = dryRun(["send", { id: `\u001b[2J\u202e\n${"x".repeat(100_000)}` }]).lines;
  expect(line).toMatch(/^not called \(1\): mail\/send \{"id":"\\u001b\[2J\\u202e\\nx+… \(\d+ more\)$/);
  expect([line.length < 2100, others]).toEqual([true, []]);
});
