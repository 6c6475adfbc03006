import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { encodeFrame } from "../../../runtime/sandbox/pool/frames.ts";
import { spawnProgram, startProgram } from "./start-program.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const RESULT = "globalThis.__codemode_result__ =";

async function makeFolder(): Promise<string> {
  const folder = await makeTestFolder();
  return folder;
}

/** Runs this before the program, in its process. */
async function before(code: string): Promise<string[]> {
  const file = join(await makeFolder(), "before.cjs");
  await writeFile(file, code);
  return ["--require", file];
}

describe("the sandbox program", () => {
  test("says that it is ready, and ends well when the host hangs up", async () => {
    const { frames, input, ended } = await startProgram();
    expect(frames).toEqual(['{"type":"ready"}']);
    input.end();
    expect(await ended).toEqual({ code: 0, errors: "" });
  });

  test("ends when the host hangs up though a timer runs, with a part of a frame on its way", async () => {
    const { input, run, frame, ended } = await startProgram();
    run('setTimeout(() => {}, 60_000); console.log("waits"); await new Promise(() => {});');
    expect(await frame(1)).toContain("waits");
    input.write(Buffer.from([9, 0, 0]));
    input.end();
    expect(await ended).toEqual({ code: 0, errors: "" });
  });

  test("runs timers in their time, stops the right ones, and hears the host meanwhile", async () => {
    const { run, write, frame } = await startProgram();
    run(`
      const stopped = setTimeout(() => console.log("never"), 5);
      clearTimeout(stopped);
      let ticks = 0;
      const tick = () => { ticks += 1; if (ticks < 1000) setTimeout(tick, 1); };
      tick();
      const [one, two] = [__codemode_call__("s", "a", "{}"), __codemode_call__("s", "b", "{}")];
      const said = (await one) + (await two);
      ticks = 1000;
      ${RESULT} said;`);
    expect(await frame(2)).toMatch(/"toolName":"b"/);
    await write(Buffer.concat([...encodeFrame({ type: "reply", id: 1 }, "o".repeat(100_000))]));
    const second = Buffer.concat(encodeFrame({ type: "reply", id: 2 }, "é"));
    for (const byte of second) await write(Buffer.from([byte]));
    expect(await frame(3)).toMatch(/^\{"type":"result"[^\n]*\n"o{100000}é"$/);
  });

  test("takes frames longer than a chunk, one behind the other, and answers in as long ones", async () => {
    const { run, write, frame } = await startProgram();
    run(`
      const calls = [1, 2, 3, 4].map(() => __codemode_call__("s", "t", "{}"));
      const texts = await Promise.all(calls);
      ${RESULT} texts.join("|");`);
    await frame(4);
    const texts = ["a".repeat(300_000), "é".repeat(30_000), "€", "b".repeat(65_500)];
    await write(Buffer.concat(texts.flatMap((text, index) => encodeFrame({ type: "reply", id: index + 1 }, text))));
    expect((await frame(5)).split("\n")[1]).toBe(JSON.stringify(texts.join("|")));
  });

  test.each([
    ["a pair on the border of two parts", `"x".repeat(65_534) + "😀" + "y".repeat(65_533) + "😀é€"`],
    ["pairs alone", `"😀".repeat(100_000)`],
    ["a part that ends with a pair", `"x".repeat(65_533) + "😀" + "z".repeat(65_536)`],
    ["just one part", `"x".repeat(65_534)`],
    ["one more than a part", `"x".repeat(65_535)`],
    ["three bytes for each character", `"€".repeat(150_000)`],
  ])("sends a long result whole: %s", async (_name, text) => {
    const { run, frame } = await startProgram();
    run(`${RESULT} ${text};`);
    const [header, body] = (await frame(1)).split("\n") as [string, string];
    expect(JSON.parse(header)).toMatchObject({ type: "result" });
    expect(body === JSON.stringify(new Function(`return ${text}`)())).toBe(true);
  });

  test("reports unhandled rejections, except ones that are handled later", async () => {
    const handled = await startProgram();
    handled.run(`
      const late = Promise.reject(new Error("late"));
      await new Promise((resolve) => setTimeout(resolve, 5));
      late.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
      ${RESULT} 1;`);
    expect(await handled.frame(1)).toMatch(/^\{"type":"result"/);
    const unhandled = await startProgram();
    unhandled.run(`Promise.reject(new Error("lost")); ${RESULT} 1;`);
    expect(JSON.parse(await unhandled.frame(1))).toMatchObject({
      type: "failure",
      errors: [{ kind: "unhandled", message: "lost" }],
    });
  });

  test("reports uncaught errors and promises that never settle, and continues with the next turn", async () => {
    const uncaught = await startProgram();
    uncaught.run(
      'setTimeout(() => { throw new TypeError("loose"); }, 1); await new Promise((resolve) => setTimeout(resolve, 50));',
    );
    expect(JSON.parse(await uncaught.frame(1))).toMatchObject({
      type: "failure",
      errors: [{ kind: "uncaught", name: "TypeError", message: "loose" }],
    });
    const inMicrotask = await startProgram();
    inMicrotask.run(
      'queueMicrotask(() => { throw new RangeError("loose too"); }); await new Promise((resolve) => setTimeout(resolve, 50));',
    );
    expect(JSON.parse(await inMicrotask.frame(1))).toMatchObject({
      type: "failure",
      errors: [{ kind: "uncaught", name: "RangeError", message: "loose too" }],
    });
    const unsettled = await startProgram();
    unsettled.run("await new Promise(() => {});");
    expect(JSON.parse(await unsettled.frame(1))).toMatchObject({
      type: "failure",
      errors: [{ kind: "never-settles" }],
    });
  });
});

describe("a pipe that is full", () => {
  const failing = (code: string) => `
    const { Error, Math, Object } = globalThis; // The program takes all of them away.
    const fs = require("node:fs");
    const { writeSync } = fs;
    let count = 0;
    fs.writeSync = (...args) => {
      count += 1;
      if (count < 4) throw Object.assign(new Error("no"), { code: ${JSON.stringify(code)} });
      return writeSync(args[0], args[1], args[2], Math.min(7, args[1].length - args[2]));
    };`;
  test("is waited for, and takes what it can", async () => {
    const { run, frame } = await startProgram({ flags: await before(failing("EAGAIN")) });
    run(`${RESULT} "whole";`);
    expect(await frame(1)).toMatch(/\n"whole"$/);
  });

  test("is another matter than one that is broken", async () => {
    const { ended } = spawnProgram({ flags: await before(failing("EPIPE")) });
    expect((await ended).code).not.toBe(0);
  });
});

describe("compiled code", () => {
  /** Says of each program whether V8 took what it was given. */
  const WATCH = `
    const vm = require("node:vm");
    vm.Script = class extends vm.Script {
      constructor(...args) { super(...args); require("node:fs").writeSync(2, args[1].filename + " " + this.cachedDataRejected + "\\n"); }
    };`;
  const printCache = async (): Promise<Buffer> => {
    const { output, ended } = spawnProgram({ words: ["", "--print-cache"] });
    const cache = await buffer(output);
    expect(await ended).toEqual({ code: 0, errors: "" });
    return cache;
  };

  test("is printed for each program, and taken by the next process", async () => {
    const file = join(await makeFolder(), "cache");
    await writeFile(file, await printCache());
    const { input, ended } = await startProgram({ words: [file], flags: await before(WATCH) });
    input.end();
    expect((await ended).errors).toBe(
      "codemode:main false\ncodemode:ses false\ncodemode:realm false\ncodemode:///bundle.js false\n",
    );
  });

  test.each([
    ["no file", undefined],
    ["an empty file", ""],
    ["a file of something else", "none"],
  ])("that is %s does no harm", async (_name, content) => {
    const file = join(await makeFolder(), "cache");
    if (content !== undefined) await writeFile(file, content);
    const { run, frame } = await startProgram({ words: [file] });
    run(`${RESULT} 1;`);
    expect(await frame(1)).toMatch(/\n1$/);
  });
});
