import { expect, test } from "vitest";
import { ALL_NODE_VERSIONS } from "../node-versions/find-node.ts";
import { runWithHole } from "./start-with-hole.ts";

test.each(ALL_NODE_VERSIONS)(
  "a script that has got WebAssembly of its realm on Node %s can make no code with it",
  async (version) => {
    const hole = {
      "(function () {\nvar realm = ": `const { WebAssembly } = globalThis; (function () {\nvar realm = `,
      "console: makeConsole(log.log)":
        "console: { compile: (bytes) => new WebAssembly.Module(new Uint8Array(bytes)) && true, log() {} }",
    };
    const script = `
      const header = [0, 97, 115, 109, 1, 0, 0, 0];
      try { globalThis.__codemode_result__ = console.compile(header); } catch (error) { globalThis.__codemode_result__ = error.message; }`;
    expect(await runWithHole(version, hole, script)).toMatchObject({
      kind: "result",
      value: expect.stringContaining("Wasm code generation disallowed"),
    });
  },
);

test.each(ALL_NODE_VERSIONS)(
  "the global object of the guest realm on Node %s inherits nothing of the main realm",
  async (version) => {
    const hole = {
      "(function () {\nvar realm = ": `
      const inherited = ["constructor", "toString", "hasOwnProperty"].map((name) => globalThis[name] === Object.prototype[name]);
      inherited.push(globalThis.__proto__ instanceof Object);
      (function () {\nvar realm = `,
      "console: makeConsole(log.log)": "console: { ask: () => inherited, log() {} }",
    };
    expect(await runWithHole(version, hole, "globalThis.__codemode_result__ = console.ask();")).toMatchObject({
      kind: "result",
      value: [true, true, true, true],
    });
  },
);
