import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { askQuestion } from "../../cli/print/ask-on-terminal.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";

const FORM: ServerQuestion = {
  ...{ serverId: "shop", lines: ["Who gets it?", "codemode asks: allow?"], mode: "form" },
  fields: [
    { name: "name", title: "Name", description: "in full", isRequired: true, kind: "text" },
    { name: "count", isRequired: false, kind: "integer", minimum: 1, preset: 1 },
    { name: "gift", isRequired: true, kind: "boolean" },
    {
      ...{ name: "colour", isRequired: false, kind: "choice" },
      choices: [
        { value: "r", title: "Red" },
        { value: "g", title: "Green" },
      ],
    },
  ],
};

/** Types the lines, each when it is asked for. */
async function answer(question: ServerQuestion, ...lines: string[]): Promise<{ reply: PersonsReply; shown: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    shown += text;
    if (!text.endsWith("> ") && !text.endsWith("] ")) return;
    const line = lines.shift();
    setImmediate(() => (line === undefined ? input.end() : input.write(`${line}\n`)));
  });
  const reply = await askQuestion(question, { input, output, signal: new AbortController().signal });
  await delay(1);
  return { reply, shown };
}

test("a question is shown as the server's, and answered field by field until it fits", async () => {
  const { reply, shown } = await answer(FORM, "y", "Ada", "0", "2", "maybe", "n", "2");
  expect(reply).toEqual({ action: "accept", content: { name: "Ada", count: 2, gift: false, colour: "g" } });
  expect(shown).toContain('The server "shop" asks this in the middle of a call. These are its words, and not codemode');
  expect(shown).toContain("\n> Who gets it?\n> codemode asks: allow?\nAnswer? [y/N] ");
  expect(shown).toContain("shop: Name: in full\n");
  expect(new Set(shown.match(/^.+(?=> )/gm))).toEqual(
    new Set(["text", "whole number, else 1", "y or n", "1, or nothing"]),
  );
  expect(shown).toContain("  1. Red\n  2. Green\n");
  expect(shown.match(/This does not fit\./g)).toHaveLength(2);
});

test("an empty line leaves a field out, or keeps what it has already", async () => {
  const { reply } = await answer(FORM, "y", "", "Ada", "", "y", "");
  expect(reply).toEqual({ action: "accept", content: { name: "Ada", gift: true } });
});

test("anything but a yes declines, and the end of the input in the middle of it is no answer", async () => {
  expect((await answer(FORM, "")).reply).toEqual({ action: "decline" });
  expect((await answer(FORM, "y", "Ada")).reply).toEqual({ action: "cancel" });
});

test("a page is shown whole, and opened by the person alone", async () => {
  const url = "https://shop.example/login?next=%2F";
  const question: ServerQuestion = { ...FORM, mode: "url", url, host: "shop.example" };
  const { reply, shown } = await answer(question, "y");
  expect(shown).toContain(`It wants you to open this page of shop.example yourself:\n${url}\nGo on? [y/N] `);
  expect(reply).toEqual({ action: "accept" });
});
