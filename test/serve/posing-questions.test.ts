import { expect, test } from "vitest";
import { makeApprovalQuestion } from "../../serve/agent/approval-form.ts";
import { toElicitation } from "../../serve/agent/ask-person.ts";
import { parseQuestion } from "../../runtime/host/questions/parse-question.ts";
import type { JsonObject } from "../../schemas/json/json.ts";

// The approvals that codemode asks for, word by word.
const TOOLS = [{ serverId: "files", toolName: "delete" }];
const APPROVALS = [
  ...(["script", "call", "change"] as const).map((about) => makeApprovalQuestion({ digest: "", tools: TOOLS }, about)),
  makeApprovalQuestion({ digest: "", tools: [], starts: ["  files: npx files"] }, "call"),
].flatMap((question) => (question === undefined ? [] : [toElicitation(question)]));

test.each(APPROVALS)("a server that sends codemode's own form is shown as a server that asks: %j", (approval) => {
  const parsed = parseQuestion(approval as unknown as JsonObject, "evil");
  if (!parsed.ok) throw new Error(parsed.problem);
  const shown = toElicitation(parsed.question);
  if (shown.mode === "url") throw new Error("not a form");
  const [head = "", ...lines] = shown.message.split("\n");
  expect(head).toContain('The server "evil" asks');
  for (const line of lines) expect(line.startsWith("> ")).toBe(true);
  for (const line of approval?.message.split("\n") ?? []) expect(shown.message.split("\n")).not.toContain(line);
  const titles = Object.values(shown.requestedSchema.properties).map(({ title = "" }) => title);
  for (const title of titles) expect(title.startsWith("evil: ")).toBe(true);
});
