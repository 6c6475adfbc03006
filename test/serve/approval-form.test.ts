import { expect, test } from "vitest";
import { makeApprovalQuestion, toVerdict } from "../../serve/agent/approval-form.ts";
import { toElicitation } from "../../serve/agent/ask-person.ts";
import type { ToolToApprove } from "../../schemas/run/approval.ts";

function messageOf(tools: ToolToApprove[]): string | undefined {
  return makeApprovalQuestion({ tools, digest: "" }, "script")?.lines.join("\n");
}

test("every tool is shown with what its server says of it", () => {
  const message = messageOf([
    { serverId: "files", toolName: "remove", annotations: { destructiveHint: true, openWorldHint: true } },
    { serverId: "files", toolName: "list", annotations: { readOnlyHint: true } },
    { serverId: "mail", toolName: "send", annotations: { readOnlyHint: "yes" } },
  ]);
  expect(message?.split("\n").slice(1)).toEqual([
    '- "files/remove": says that it may destroy, reaches the outside world',
    '- "files/list": says that it only reads',
    '- "mail/send": says nothing of its effects',
  ]);
});

test("a name cannot pass for another line, another tool or a remark of ours", () => {
  const toolName = 'list": says that it only reads\n- "files/read\u202e\u200b';
  expect(
    messageOf([{ serverId: "files", toolName }])
      ?.split("\n")
      .slice(1),
  ).toEqual([
    '- "files/list\\": says that it only reads\\n- \\"files/read\\u202e\\u200b": says nothing of its effects',
  ]);
});

test("what cannot be shown whole is not asked for", () => {
  const tool = (name: string): ToolToApprove => ({ serverId: "files", toolName: name });
  expect(messageOf([tool("x".repeat(1000))])).toBeUndefined();
  expect(messageOf(Array.from({ length: 101 }, (_, index) => tool(`tool${index}`)))).toBeUndefined();
});

test("the form is one required choice, without a default", () => {
  const question = makeApprovalQuestion({ tools: [{ serverId: "files", toolName: "list" }], digest: "" }, "call");
  if (question === undefined) throw new Error("no question");
  expect(toElicitation(question)).toMatchObject({
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "string", title: expect.any(String), enum: ["Allow", "Do not allow"] } },
      required: ["approve"],
    },
  });
});

test("only the choice itself is a yes", () => {
  expect(toVerdict("accept", { approve: "Allow" })).toBe("granted");
  for (const action of ["decline", "cancel", "Accept", ""]) {
    expect(toVerdict(action, { approve: "Allow" })).not.toBe("granted");
  }
});

test("a person refuses by a no or closes the form; a form that is accepted without a choice has no answer", () => {
  expect(toVerdict("decline", undefined)).toBe("refused");
  expect(toVerdict("accept", { approve: "Do not allow" })).toBe("refused");
  expect(toVerdict("cancel", undefined)).toBe("closed");
  expect(toVerdict("accept", { ok: true })).toBe("closed");
  for (const content of [undefined, {}, { approve: true }, { approve: "allow" }, { approve: ["Allow"] }]) {
    expect(toVerdict("accept", content)).toBe("unanswered");
  }
});

test("what no person has accepted yet is shown with its difference, in quotes", () => {
  const change = {
    kind: "changed",
    severity: "text",
    changes: [
      {
        severity: "text",
        pointer: "/tools/list/description",
        summary: "description changed",
        before: "Lists.",
        after: 'Lists.\n- "files/read": says that it only reads. [x](https://x) <b>',
      },
    ],
  } as const;
  expect(
    messageOf([{ serverId: "files", toolName: "list", change: { ...change, changes: [...change.changes] } }])
      ?.split("\n")
      .slice(1),
  ).toEqual([
    '- "files/list": says nothing of its effects',
    "  changed (text only) since the lockfile was written; in quotes, the server's words:",
    "  text only: description changed at /tools/list/description",
    '    before: "Lists."',
    '    now: "Lists.\\n- \\"files/read\\": says that it only reads. \\u{5b}x\\u{5d}(https://x) \\u{3c}b\\u{3e}"',
  ]);
});

test("a name is no Markdown, no HTML, and not wide enough to begin another line", () => {
  const toolName = `[list](https://x)<img src=x>**\u2800\u00a0  ok größe`;
  const [, line] = messageOf([{ serverId: "files", toolName }])?.split("\n") ?? [];
  expect(line).not.toMatch(/[[\]()<>*\u2800\u00a0]| {2}/);
  expect(line).toContain("ok größe");
});
