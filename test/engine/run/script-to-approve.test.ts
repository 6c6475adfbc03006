import { expect, test } from "vitest";
import { INNER_START } from "../../../engine/bundle/program/wrap-program.ts";
import { toScriptToApprove } from "../../../engine/run/script-to-approve.ts";
import { digestText } from "../../../runtime/host/digest-text.ts";

type Subject = Parameters<typeof toScriptToApprove>[0];

const mask = (text: string): string => text.replaceAll("s3cret", "[redacted]");
const show = (code: string, isPinned = false) => {
  const map = { sources: ["main.ts", "lib.ts", "gone.ts"], sourcesContent: ["not what runs", "lib('s3cret')", null] };
  const bundle = { code, map, packages: [{ name: "zod", version: "4.0.0" }] };
  const request = { script: { name: "main.ts", code: "main('s3cret')" }, input: { key: "s3cret" } };
  return toScriptToApprove({ bundle, request, isPinned } as unknown as Subject, mask);
};

test("a script is shown as its author wrote it, with each file that it imports, its packages and its input, without credentials", () => {
  expect(show("program")).toEqual({
    files: [
      { name: "main.ts", code: "main('[redacted]')" },
      { name: "lib.ts", code: "lib('[redacted]')" },
    ],
    packages: ["zod@4.0.0"],
    input: { key: "[redacted]" },
    digest: digestText("program"),
  });
});

test.each([
  ["no part that stands before it", "s3cret();", [{ name: "main.ts", code: "[redacted]();" }]],
  [
    "a part that stands before it, which may look like its begin",
    `${INNER_START}\nbefore\n${INNER_START}\nown();`,
    [
      { name: "main.ts, as a program", code: `${INNER_START}\nown();` },
      { name: "what stands before it", code: `${INNER_START}\nbefore` },
    ],
  ],
])("of a pinned bundle the program itself is shown, not what it says of its source: %s", (_, code, files) => {
  expect(show(code, true).files).toEqual(files);
});
