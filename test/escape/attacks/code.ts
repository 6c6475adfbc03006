import { toAttacks, type Attack } from "../attack.ts";

/** Code from text, and modules from anywhere. */
export const codeAttacks: Attack[] = [
  ...toAttacks({
    eval: `return typeof eval === "function" && "eval is there";`,
    "indirect eval": `return thrown(() => (0, globalThis["ev" + "al"])("this")) || maker(globalThis["ev" + "al"]);`,
    "import made from text": `
      for (const source of ["return imp" + "ort('node:fs')", "return imp" + "ort/**/('node:fs')"]) {
        try { const module = await Function(source)(); if (module) return "node:fs"; } catch (error) { const found = walk(error); if (found) return found; }
      }`,
    "an HTML comment made from text": `return maker((source) => Function("<" + "!-- \\n" + source));`,
    "timers as evaluators": `try { setTimeout(String.raw\`globalThis.ran = 1\`); } catch {} await sleep(3); return globalThis.ran;`,
    "a require from nowhere": `
      for (const name of ["require", "module", "createRequire", "__non_webpack_require__"]) if (typeof globalThis[name] === "function") return name;`,
    "the source of the wrapper": `
      const source = Function.prototype.toString.call(function () {});
      return source !== "function () {}" && source;`,
  }),
  { name: "import() of a module of Node", code: `return (await import("node:fs")) && "node:fs";`, isRefused: true },
  { name: "import() with a comment", code: `return (await import/* */("node:fs")) && "node:fs";`, isRefused: true },
  { name: "import() with line breaks", code: `return (await import\n\n("node:fs")) && "node:fs";`, isRefused: true },
  {
    name: "import() of data",
    code: `return (await import("data:text/javascript,export default 1")) && "a module";`,
    isRefused: true,
  },
  {
    name: "import() of a URL",
    code: `return (await import("https://example.invalid/x.js")) && "a module";`,
    isRefused: true,
  },
  { name: "import() of a path", code: `return (await import("/etc/hostname")) && "a file";`, isRefused: true },
  { name: "import.meta", code: `return import.meta.url;`, isRefused: true },
  { name: "a static import", code: `import fs from "node:fs"; return "node:fs";`, isRefused: true },
  { name: "an HTML comment", code: `return 1 <!-- 2`, isRefused: true },
  { name: "an end of an HTML comment", code: `let x = 1;\n--> return process;\nreturn undefined;`, isRefused: true },
  { name: "a with statement", code: `with (globalThis) { return process; }`, isRefused: true },
];
