import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { approverOf, askApproval } from "../../cli/print/ask-on-terminal.ts";

const REQUEST = {
  tools: [
    { serverId: "files", toolName: "write", annotations: { destructiveHint: true } },
    { serverId: "mail", toolName: "send\u001b[2K" },
  ],
  digest: "sha256-of-the-script",
};

async function answer(typed: string): Promise<{ verdict: string; shown: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(typed);
  const verdict = await askApproval(REQUEST, { input, output, signal: new AbortController().signal });
  output.end();
  return { verdict, shown: await text(output) };
}

test("exactly what is asked for is listed, harmless to the terminal", async () => {
  const { shown } = await answer("n\n");
  expect(shown).toContain(
    '- "files/write": says that it may destroy\n- "mail/send\\u001b\\u{5b}2K": says nothing of its effects\nAllow? [y/N] ',
  );
});

test.each([
  ["y\n", "granted"],
  ["Yes\n", "granted"],
  ["\n", "refused"],
  ["n\n", "refused"],
  ["yep\n", "refused"],
  ["", "refused"],
])("%j is %s", async (typed, verdict) => {
  expect((await answer(typed)).verdict).toBe(verdict);
});

test("a person who wants to see the script sees its digest, its input and its code before answering", async () => {
  const script = { files: [{ name: "a.ts", code: "pay();" }], packages: [], input: { all: true }, digest: "sha256-x" };
  const [input, output] = [new PassThrough(), new PassThrough()];
  const shown = text(output);
  const asking = askApproval({ ...REQUEST, script }, { input, output, signal: new AbortController().signal });
  input.write("s\n");
  await new Promise((resolve) => setTimeout(resolve, 20));
  input.end("y\n");
  expect(await asking).toBe("granted");
  output.end();
  expect(await shown).toMatch(
    /Allow\? \[y\/N, s shows the script\] {3}its program: sha256-x\n {2}its input: \{"all":true\}\n[^]*\| pay\(\);\nAllow\?/,
  );
});

test("an interruption is no approval", async () => {
  const interruption = new AbortController();
  const asking = askApproval(REQUEST, {
    input: new PassThrough(),
    output: new PassThrough(),
    signal: interruption.signal,
  });
  interruption.abort();
  expect(await asking).toBe("refused");
});

test("--approve has answered before anybody is asked", async () => {
  const { approve, approvalBy } = approverOf(true, { signal: new AbortController().signal });
  expect([await approve(REQUEST), approvalBy]).toEqual(["granted", "flag"]);
});
