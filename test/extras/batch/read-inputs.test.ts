import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readInputs, surveyInputs } from "../../../extras/batch/read-inputs.ts";

const TEXT = '\uFEFF{"a":1}\r\n\n  \n"zwölf 🎈"\n[3]';

const sourceOf = (bytes: Buffer, chunkBytes: number, shard?: { index: number; count: number }) => ({
  ...{ shown: "in.jsonl", shard, isFile: true },
  open: () =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
        bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
      ),
    ) as AsyncIterable<Buffer>,
});

async function readAll(...source: Parameters<typeof sourceOf>): Promise<unknown[]> {
  const inputs = [];
  for await (const { line, input } of readInputs(sourceOf(...source))) inputs.push([line, input]);
  return inputs;
}

test.each([
  ["plain", Buffer.from(TEXT)],
  ["compressed", gzipSync(TEXT)],
  ["compressed in parts", Buffer.concat([gzipSync(TEXT.slice(0, 9)), gzipSync(TEXT.slice(9))])],
])("the inputs of a %s file have their lines, however its bytes arrive", async (_, bytes) => {
  const inputs = [
    [1, { a: 1 }],
    [4, "zwölf 🎈"],
    [5, [3]],
  ];
  for (const size of [1, 2, 7, 1000]) expect(await readAll(bytes, size), String(size)).toEqual(inputs);
  expect(await readAll(bytes, 7, { index: 1, count: 2 })).toEqual([inputs[0], inputs[2]]);
});

test("an empty file holds no input", async () => {
  expect(await readAll(Buffer.from(""), 10)).toEqual([]);
});

test("a survey counts the inputs, and another input is another digest", async () => {
  const surveys = await Promise.all(
    [TEXT, TEXT, TEXT.replace("[3]", "[4]")].map((text) => surveyInputs(sourceOf(Buffer.from(text), 10))),
  );
  expect(surveys.map(({ total }) => total)).toEqual([3, 3, 3]);
  expect(surveys[0]).toEqual(surveys[1]);
  expect(surveys[0]?.digest).not.toBe(surveys[2]?.digest);
});

test.each([
  ["a line that is no JSON", Buffer.from('1\n{"a":\n'), { code: "INPUTS_INVALID", message: /^in\.jsonl:2 is not/ }],
  ["a cut file", gzipSync("1\n".repeat(100)).subarray(0, -9), { code: "FILE_INACCESSIBLE", message: /gzip/ }],
  ["a line without an end", Buffer.alloc(65 * 1024 * 1024, 0x31), { code: "INPUTS_INVALID", message: /longer than/ }],
])("%s is an error with its place", async (_, bytes, { code, message }) => {
  await expect(readAll(bytes, 1024 * 1024)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});
