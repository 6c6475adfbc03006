import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  CLIENT_IDS,
  type ClientFile,
  listClientFiles,
  CONTAINERS,
  languageOf,
} from "../../../engine/project/clients/client-files.ts";
import { listClientEntries } from "../../../engine/project/clients/parse-client-file.ts";
import { toLocalEntry } from "../../../extras/install/clients.ts";
import { installEntry, uninstallEntry } from "../../../extras/install/install-entry.ts";
import { makeProject } from "../../e2e/run-codemode.ts";
import { countCases } from "../../sets/count-cases.ts";

const SKIPPED = countCases(4, 12);

/** Texts that a file may have before `install`, by its language; `KEY` is the key of its servers. */
const JSON_TEXTS: readonly string[] = [
  "{}",
  "{}\n",
  "",
  "\n",
  '{\n  "KEY": {}\n}\n',
  '{\n  "KEY": {\n  }\n}\n',
  '{"KEY":{"a":{"command":"x"}},"z":1}',
  '{\n  "KEY": {\n    "a": { "command": "x" }\n  }\n}\n',
  '{ "KEY": { "zeta": { "command": "z" }, // after zeta\n  }, }',
  '// top\n{\n  "KEY": {\n    /* first */ "a":   {"command":"x",}, // why\n    // last\n  },\n  "z": 1, // end\n}\n// foot\n',
  '{\n  "KEY": {\n    "a": {} // why\n    // more\n  }\n}',
  '{\n  "KEY": { // none\n  }\n}\n',
  '\uFEFF{\r\n\t"KEY": {\r\n\t\t"a": {"command": "x"}\r\n\t}\r\n}\r\n',
  '{\r\n  "other": [1,\r\n 2.50, 1e3]\r\n}',
  '{\n  "other": { "KEY": 1 },\n  "b": "äöü 日本 \\u00e9"\n}\n',
  '{\n    "a": 1\n}',
];
const TOML_TEXTS: readonly string[] = [
  "",
  "\n",
  "# only a comment",
  'model = "o"',
  'model = "o"\n',
  'model = "o"\n\n\n',
  '[KEY.a]\ncommand = "x" # why\n\n[projects."/p"]\ntrust_level = "trusted"\n',
  '[KEY.a]\r\ncommand = "x"\r\n',
  'note = """\n[KEY.codemode]\ncommand = "old"\n"""\n\n[KEY.a]\ncommand = "x"\n',
  "note = '''\n[KEY.codemode]\n'''\n[b]\nc = [\n  1,\n  2,\n]\n",
  '[KEY]\n\n[KEY.a]\ncommand = "x"\n# end',
];
const MAP_TEXTS: readonly string[] = [
  "",
  "# only a comment\n",
  "KEY: {}\n",
  "KEY:\n",
  "other: {name: a}\n",
  "other: {name: a}",
  "KEY:\n    a:\n        cmd: x # why\n        args: [1,  2]\n# after\nz: {name: a}\n",
  "z:\n- 1\n-   2\nKEY:\n  a: {cmd: x}\n",
  "KEY:\r\n  a:\r\n    cmd: 'x'\r\nz: |\r\n  text\r\n",
  "KEY: {a: {cmd: x}}\nb: 'q'   # c\n",
  "KEY: {} # none\nz: 1\n",
];
const LIST_TEXTS: readonly string[] = [
  "",
  "KEY: []\n",
  "KEY:\n",
  "name: Local\nversion: 1.0.0\n",
  "KEY:\n- name: a\n  command: x # why\n\n# next\nmodels:\n  - {name: m,  provider: p}\n",
  "KEY:\n  - name: a\n    args:\n    - 1\nother: {name: a}\r\n",
  "KEY: [{name: a}]\n",
  "name: 'Local'\r\nKEY:\r\n  - name: a\r\n    command: x\r\n",
];

/** What a text does to its editing is decided by the format: the first file of one has all texts, the others a few. */
const FIRST_OF_FORMAT = new Map(
  CLIENT_IDS.flatMap((id) =>
    listIn("/", "/", id).map(({ format }, position) => [format, `${id} ${position}`] as const),
  ).toReversed(),
);

const textsOf = ({ format, id }: ClientFile, position: number): readonly string[] => {
  const byLanguage = { json: JSON_TEXTS, toml: TOML_TEXTS, yaml: format === "continue" ? LIST_TEXTS : MAP_TEXTS };
  const texts = byLanguage[languageOf(format)].map((text) => text.replaceAll("KEY", CONTAINERS[format]));
  return FIRST_OF_FORMAT.get(format) === `${id} ${position}`
    ? texts
    : texts.filter((_, index) => index % SKIPPED === 0);
};

test("all texts are tried on each format", () => {
  expect([...FIRST_OF_FORMAT.keys()].toSorted()).toEqual(Object.keys(CONTAINERS).toSorted());
});

let root = "";
beforeEach(async () => {
  root = await makeProject({});
  process.env["XDG_STATE_HOME"] = join(root, "state");
});
afterEach(() => void delete process.env["XDG_STATE_HOME"]);

/** All files of clients in a project and a home whose paths have blanks and brackets. */
const filesOf = (id: string): ClientFile[] => listIn(join(root, "my [project]"), join(root, "ho me"), id);

function listIn(folder: string, home: string, id: string): ClientFile[] {
  const places = { folder, home, platform: "linux" as const, env: {} };
  return listClientFiles(places).filter((file) => file.id === id && file.isOld !== true);
}

const install = (file: ClientFile, args = ["codemode", "serve"]) => {
  const value = toLocalEntry(file.id, {
    name: "codemode",
    format: file.format,
    command: "npx",
    args,
    variables: ["TOKEN"],
  });
  return installEntry(file, { format: file.format, name: "codemode", value }, join(root, "my [project]"), false);
};
const uninstall = (file: ClientFile) => uninstallEntry(file, "codemode", join(root, "my [project]"), false);

describe.each(CLIENT_IDS)("%s", (id) => {
  test("uninstall gives back the bytes that install found, also after a second install", async () => {
    const failed: [string, string, string][] = [];
    let tried = 0;
    for (const [position, file] of filesOf(id).entries()) {
      for (const text of textsOf(file, position)) {
        await mkdir(dirname(file.path), { recursive: true });
        await writeFile(file.path, text);
        for (const rounds of [1, 2]) {
          tried += 1;
          for (let round = 0; round < rounds; round += 1) {
            expect(await install(file, ["codemode", "serve", "--verbose".repeat(round)])).toBe(true);
          }
          expect(await uninstall(file)).toBe(true);
          const now = await readFile(file.path, "utf8");
          if (now !== text) failed.push([file.path, text, now]);
        }
      }
    }
    expect(failed).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(countCases(8, 2));
  });

  test("a file that was not there is gone again, with the folders that install made", async () => {
    for (const file of filesOf(id)) {
      await mkdir(join(root, "ho me"), { recursive: true });
      await mkdir(join(root, "my [project]"), { recursive: true });
      await install(file);
      expect(existsSync(file.path)).toBe(true);
      await uninstall(file);
      expect(await readdir(join(root, "ho me"))).toEqual([]);
      expect(await readdir(join(root, "my [project]"))).toEqual([]);
    }
  });

  test("of a file that was changed in between only our entry goes", async () => {
    for (const [position, file] of filesOf(id).entries()) {
      for (const text of textsOf(file, position)) {
        const mark = languageOf(file.format) === "json" ? "// by hand\n" : "# by hand\n";
        await mkdir(dirname(file.path), { recursive: true });
        await writeFile(file.path, text);
        const before = listClientEntries(text, file);
        await install(file);
        const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
        const changed = `${bom}${mark}${(await readFile(file.path, "utf8")).slice(bom.length)}`;
        await writeFile(file.path, changed);
        await uninstall(file);
        const now = await readFile(file.path, "utf8");
        expect(now.startsWith(bom + mark)).toBe(true);
        expect(now.includes('"npx"') || now.includes("command: npx") || now.includes("cmd: npx")).toBe(false);
        expect(listClientEntries(now, file)).toEqual(before);
        const comments = (one: string): string[] => one.match(/(?:\/\/|#) [a-z]+|\/\*.*?\*\//g) ?? [];
        expect(comments(now)).toEqual([...comments(mark), ...comments(text)]);
      }
    }
  });
});
