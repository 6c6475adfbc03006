import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readFrameTexts } from "../../../runtime/sandbox/pool/frames.ts";

/** Gives chunks to a reader, and what it made of each before the next one came. */
async function read(chunks: readonly Buffer[], maxFrameBytes = 100) {
  const pipe = new PassThrough();
  const seen: string[] = [];
  readFrameTexts(
    pipe,
    () => maxFrameBytes,
    (text) => seen.push(text),
    () => seen.push("too long"),
  );
  const after: string[][] = [];
  for (const chunk of chunks) {
    pipe.write(chunk);
    await new Promise(setImmediate);
    after.push(seen.splice(0));
  }
  return after;
}

function frame(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}

test("a frame is read with its last byte, before anything comes behind it", async () => {
  expect(await read([frame("one"), frame(""), Buffer.concat([frame("two"), frame("three")])])).toEqual([
    ["one"],
    [""],
    ["two", "three"],
  ]);
});

test("a frame that comes in parts is read when it is whole, wherever it is cut", async () => {
  const all = Buffer.concat([frame("one"), frame("two")]);
  for (let cut = 1; cut < all.length; cut += 1) {
    const ends = [7, all.length].map((end) => (end <= cut ? 0 : 1));
    const expected = [0, 1].map((part) => ["one", "two"].filter((_, index) => ends[index] === part));
    expect(await read([all.subarray(0, cut), all.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
  }
  expect((await read([...all].map((byte) => Buffer.from([byte])))).flat()).toEqual(["one", "two"]);
});

test("a frame may have the length that is allowed; after a longer one nothing is read", async () => {
  expect(await read([frame("1234"), frame("12345"), frame("1")], 4)).toEqual([["1234"], ["too long"], []]);
  expect(await read([frame("12345").subarray(0, 4), Buffer.from("12345"), frame("1")], 4)).toEqual([
    ["too long"],
    [],
    [],
  ]);
});
