import type { Mistake } from "./mistake.ts";

/** Names that are not there: tools, servers, and what only other places have. */
export const MISTAKES_IN_NAMES: readonly Mistake[] = [
  {
    title: "a tool by the wrong name",
    script: 'import { ⟪readTextFile } from "@codemode/servers/filesystem";\nawait readTextFile({ path: "x" });',
    code: "IMPORT_FAILURE",
    hint: ["`read_text_file`"],
  },
  {
    title: "a tool by its MCP name",
    script: 'import * as everything from "@codemode/servers/everything";\nawait everything.⟪get_sums({ a: 1, b: 2 });',
    code: "IMPORT_FAILURE",
    hint: ["`get_sum`"],
  },
  {
    title: "a tool by the wrong name that nothing uses",
    script: 'import { ⟪read_text_fil } from "@codemode/servers/filesystem";\nexport default 1;',
    code: "IMPORT_FAILURE",
    hint: ["`read_text_file`"],
  },
  {
    title: "a removed tool that only reads",
    script: 'import { ⟪list_directries } from "@codemode/servers/filesystem";\nawait list_directries({ path: "x" });',
    code: "IMPORT_FAILURE",
    hint: ["`list_directory`"],
  },
  {
    title: "a server by the wrong name",
    script: 'import { read_graph } from ⟪"@codemode/servers/memroy";\nawait read_graph();',
    code: "IMPORT_FAILURE",
    hint: ['"@codemode/servers/memory"'],
  },
  {
    title: "a default import of a server",
    script: 'import ⟪memory from "@codemode/servers/memory";\nawait memory.read_graph();',
    code: "IMPORT_FAILURE",
    hint: ['import * as memory from "@codemode/servers/memory"'],
  },
  {
    title: "a tool without its import",
    script: "const graph = await ⟪read_graph();",
    hint: ['import { read_graph } from "@codemode/servers/memory";'],
  },
  {
    title: "a server's namespace without its import",
    script: 'await ⟪tickets.create_ticket({ title: "a", priority: "low" });',
    hint: ['import * as tickets from "@codemode/servers/tickets";'],
  },
  {
    title: "a namespace misspelt",
    script:
      'import * as filesystem from "@codemode/servers/filesystem";\nawait ⟪filesytem.list_directory({ path: "." });',
    hint: ["`filesystem`"],
  },
  {
    title: "require",
    script: 'const { echo } = ⟪require("@codemode/servers/everything");\nawait echo({ message: "hi" });',
    code: "IMPORT_FAILURE",
    hint: ['import … from "@codemode/servers/everything"'],
  },
  {
    title: "fs",
    script: 'import { readFileSync } from ⟪"fs";\nconsole.log(readFileSync("a.txt", "utf8"));',
    code: "IMPORT_FAILURE",
    hint: ["Tools are the only way out of the sandbox", "@codemode/servers/filesystem"],
  },
  { title: "process.env", script: "const key = ⟪process.env.KEY;", hint: ["input of the run"] },
  { title: "fetch", script: 'const response = await ⟪fetch("https://example.org");', hint: ["call a tool"] },
  { title: "setInterval", script: "⟪setInterval(() => console.log(1), 1000);", hint: ["setTimeout in a loop"] },
  { title: "a method that the console does not have", script: 'console.⟪time("a");', hint: ["debug, log, info"] },
  {
    title: "the wrong name of an error class",
    script: 'import { ⟪ToolError } from "@codemode/errors";\nconsole.log(ToolError);',
    code: "IMPORT_FAILURE",
    hint: ["ToolCallError"],
  },
  {
    title: "an error class without its import",
    script: "try { console.log(1); } catch (error) { if (error instanceof ⟪ToolCallError) console.log(2); }",
    hint: ['import { ToolCallError } from "@codemode/errors";'],
  },
  {
    title: "a discovery function misspelt",
    script: 'import { ⟪serchTools } from "@codemode/discovery";\nconsole.log(await serchTools("sum"));',
    code: "IMPORT_FAILURE",
    hint: ["`searchTools`"],
  },
];
