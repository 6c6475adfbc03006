import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";

/** Spellings of one denied file, by what follows `file:`. `/D` is the path of the folder, `D` the same without its first slash. */
const SPELLINGS = [
  "///D/private/x.txt",
  "///D//private/x.txt",
  "/D/private/x.txt",
  "D/private/x.txt",
  "//localhost/D/private/x.txt",
  "//LOCALHOST/D/private/x.txt",
  "//127.0.0.1/D/private/x.txt",
  "////D/private/x.txt",
  "/////D/private/x.txt",
  "//D/private/x.txt",
  "///D//private//x.txt",
  "///D/private//x.txt",
  "///D/%70rivate/x.txt",
  "///D/%50rivate/x.txt",
  "///D/%2570rivate/x.txt",
  "///D/%252570rivate/x.txt",
  "///D/%2570rivate/x.txt?%25zz",
  "///D/%252e%252e/private/x.txt?%25zz",
  "///D/open/../private/x.txt",
  "///D/open/%2e%2e/private/x.txt",
  "///D/open/%2E./private/x.txt",
  "///D/open/%252e%252e/private/x.txt",
  "///D/./private/x.txt",
  "///D/%2e/private/x.txt",
  "///D/private/./x.txt",
  "///D/private%2Fx.txt",
  "///D/private%2fx.txt",
  "///D/%2Fprivate/x.txt",
  "///D%2F%2Fprivate/x.txt",
  "///D/private%5Cx.txt",
  "///D\\private\\x.txt",
  "///D/private\t/x.txt",
  "///D/priv\nate/x.txt",
  "///D/priv\u200bate/x.txt",
  "///D/priv%E2%80%8Bate/x.txt",
  "///D/\uff50rivate/x.txt",
  "///D/%EF%BD%90rivate/x.txt",
  "///D/private/x.txt?",
  "///D/private/x.txt?a=b",
  "///D/private/x.txt#",
  "///D/private/x.txt#a",
  "///D/private/x.txt;a",
  "///D/private/x.txt ",
  "///D/private/x.txt%00",
  "///D;/../private/x.txt",
];
const OTHER_SCHEMES = ["FILE:///D/private/x.txt", "File:/D/private/x.txt", "FILE:D/private/x.txt"];
/** Values of the template `file:///D/{+path}`. */
const PATHS = [
  "private/x.txt",
  "/private/x.txt",
  "//private/x.txt",
  "./private/x.txt",
  "%70rivate/x.txt",
  "open/../private/x.txt",
];

const SCRIPT = `
  import { read, file } from "@codemode/servers/files/resources";
  const { uris, paths } = globalThis.__codemode_input__;
  const attempt = (call) => call.then((value) => "read " + JSON.stringify(value), ({ message, hint }) => message + " " + hint);
  export default {
    open: await attempt(file({ path: "open/y.txt" })),
    uris: await Promise.all(uris.map((uri) => attempt(read(uri)))),
    paths: await Promise.all(paths.map((path) => attempt(file({ path })))),
  };`;

test("a denied file is read in none of its spellings, from a server that reads many of them", async () => {
  const cwd = await realpath(await makeProject({}));
  const folder = join(cwd, "data");
  for (const [place, text] of [
    ["private/x.txt", "secret"],
    ["open/y.txt", "public"],
  ] as const) {
    await mkdir(join(folder, place, ".."), { recursive: true });
    await writeFile(join(folder, place), text);
  }
  const server = { command: process.execPath, args: [resolve("test/servers/resource-files.mjs"), folder] };
  const policy = { allow: ["*"], deny: [`files/resource:${pathToFileURL(folder).href}/private/*`] };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: { files: server }, policy }));
  const inner = pathToFileURL(folder).pathname.slice(1);
  const uris = [...SPELLINGS.map((rest) => `file:${rest}`), ...OTHER_SCHEMES].map((uri) => uri.replace("D", inner));
  const input = JSON.stringify({ uris, paths: PATHS });
  await typeCommand(["lock"], { cwd });
  const { stdout, stderr } = await runCodemode(["run", "-", "--json", "--input", input], { cwd, stdin: SCRIPT });
  const { result } = JSON.parse(stdout) as RunAnswer & { result: { open: string; uris: string[]; paths: string[] } };
  expect(result.open, stderr).toBe('read "public"');
  const all = [...uris, ...PATHS].map((spelling, index) => [spelling, [...result.uris, ...result.paths][index]]);
  expect(all.filter(([, outcome]) => outcome?.includes("secret"))).toEqual([]);
  // Each is denied, or refused in so many words, before the server sees it.
  expect(all.filter(([, outcome]) => !/^(?:The policy denies|The URI .* is refused)/s.test(outcome ?? ""))).toEqual([]);
  const canonical = `${pathToFileURL(folder).href}/private/x.txt`;
  for (const spelling of [`file:/${inner}/private/x.txt`, `file://localhost/${inner}/private/x.txt`]) {
    expect(result.uris[uris.indexOf(spelling)]).toContain(`Write it as "${canonical}".`);
  }
});
