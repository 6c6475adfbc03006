import { expect, test } from "vitest";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import { emitSignature } from "../../templates/emit-signature.ts";
import { countTokens } from "../serve/surfaces/count-tokens.ts";
import { ownLockfile } from "../serve/surfaces/view-of.ts";

const tools = [...ownLockfile.servers.values()].flatMap((server) => server.tools);

const texts: [string, string][] = [
  ["signatures", tools.map((tool) => emitSignature(tool)).join("\n")],
  ["descriptions", tools.map(({ description }) => description).join("\n")],
  ["schemas", JSON.stringify(tools)],
  ["names", tools.map(({ exportName }) => exportName).join(", ")],
  ["server ids with numbers", Array.from({ length: 200 }, (_, index) => `server-${index} ${index * 7}`).join(", ")],
  ["random letters and digits", Array.from({ length: 100 }, (_, index) => (index * 7919).toString(36)).join("_")],
  [
    "camel case",
    tools.map(({ exportName }) => exportName.replace(/_(.)/g, (_, letter) => letter.toUpperCase())).join(" "),
  ],
];

test.each(texts)("%s: the estimate is not far from the truth, and rather above it", (_title, text) => {
  const ratio = estimateTokens(text) / countTokens(text);
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.5);
});

test.each(["日本語の説明文です、これはツールの説明", "пример описания", "😀😃😄😁", "عربي نص طويل", "한국어 설명"])(
  "%s is not taken for less than it is",
  (text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
  },
);

test("nothing is nothing", () => {
  expect(estimateTokens("")).toBe(0);
});
