import { parse } from "smol-toml";
import { expect, test } from "vitest";
import type { ClientFormat } from "../../../engine/project/clients/client-files.ts";
import type { ClientEntry } from "../../../extras/install/client-entry.ts";
import { mergeJsonEntry } from "../../../extras/install/json-entry.ts";
import { mergeTomlEntry } from "../../../extras/install/toml-entry.ts";

const entry = (format: ClientFormat, value: object = { command: "npx", args: ["codemode", "serve"] }): ClientEntry => ({
  format,
  name: "codemode",
  value: value as ClientEntry["value"],
});

const OURS =
  '"codemode": {\n      "command": "npx",\n      "args": [\n        "codemode",\n        "serve"\n      ]\n    }';

/** The text without what was put in: what is left must be what was there. */
function withoutEntry(text: string, added: RegExp): string {
  return text.replace(added, "");
}

test.each([
  [
    "comments, order, odd spacing and trailing commas",
    '// mine\n{\n  "mcpServers": {\n    /* first */ "a":   {"command":"x",}, // why\n  },\n  "z": 1, // end\n}\n',
    /\n {4}"codemode": \{[^}]*\}/,
  ],
  [
    "a comment behind the last property",
    '{\n  "mcpServers": {\n    "a": {} // why\n    // more\n  }\n}',
    /,(?= \/\/ why)|\n {4}"codemode": \{[^}]*\}/g,
  ],
  ["one line", '{"mcpServers":{"a":{"b":[1,2]}},"z":1}', /, "codemode": \{[^}]*\}/],
  ["a comment in an empty object", '{\n  "mcpServers": { // none\n  }\n}\n', /\n {4}"codemode": \{[^}]*\}/],
])("%s: all other bytes stay", (_name, text, added) => {
  const merged = mergeJsonEntry(text, entry("mcp-servers"), false);
  expect(withoutEntry(merged, added)).toBe(text);
  expect(mergeJsonEntry(merged, entry("mcp-servers"), false)).toBe(merged);
});

test("an empty file and a missing container are filled", () => {
  expect(mergeJsonEntry("", entry("vscode"), false)).toBe(`{\n  "servers": {\n    ${OURS}\n  }\n}\n`);
  expect(JSON.parse(mergeJsonEntry('{"inputs": []}\n', entry("vscode"), false))).toMatchObject({
    inputs: [],
    servers: { codemode: { command: "npx" } },
  });
});

test("tabs, line ends of Windows and a byte order mark stay", () => {
  const merged = mergeJsonEntry('\uFEFF{\r\n\t"mcpServers": {}\r\n}\r\n', entry("mcp-servers"), false);
  expect(merged.startsWith('\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"codemode": {\r\n\t\t\t"command": "npx",')).toBe(true);
  expect(merged.replaceAll("\r\n", "")).not.toContain("\n");
});

test("what the user added to our entry stays, and the command is renewed", () => {
  const text = JSON.stringify({
    mcpServers: { codemode: { command: "npx", args: ["-y", "codemode@0.0.1", "serve"], env: { A: "1" }, timeout: 5 } },
  });
  const value = { command: "npx", args: ["-y", "codemode@9.0.0", "serve"], env: { TOKEN: "${TOKEN}" } };
  expect(JSON.parse(mergeJsonEntry(text, entry("mcp-servers", value), false))).toEqual({
    mcpServers: { codemode: { ...value, env: { A: "1", TOKEN: "${TOKEN}" }, timeout: 5 } },
  });
});

test.each([
  ["another program", { command: "other", args: ["serve"] }],
  ["an address", { url: "https://a.example/mcp" }],
  ["something else", 1],
  ["another project", { command: "npx", args: ["codemode", "serve", "--cwd", "/b"] }],
])("an entry of the same name for %s is replaced by force alone", (_name, existing) => {
  const text = JSON.stringify({ mcpServers: { codemode: existing } });
  const ours = entry("mcp-servers", { command: "npx", args: ["codemode", "serve", "--cwd", "/a"] });
  expect(() => mergeJsonEntry(text, ours, false)).toThrow('has a server "codemode" already');
  expect(JSON.parse(mergeJsonEntry(text, ours, true))).toEqual({ mcpServers: { codemode: ours.value } });
});

test.each([
  ["broken JSON", '{\n  "a": \n  oops\n}', "is not valid JSON: InvalidSymbol in line 3"],
  ["a list", "[]", "does not contain a JSON object"],
  ["a container of another kind", '{"mcpServers": []}', 'has a value other than an object at "mcpServers"'],
  ["a container that stands there twice", '{"mcpServers": {}, "mcpServers": {"a": {}}}', "contains a duplicate key"],
])("%s is refused", (_name, text, problem) => {
  expect(() => mergeJsonEntry(text, entry("mcp-servers"), false)).toThrow(problem);
});

test("the second form of opencode is kept", () => {
  const merged = mergeJsonEntry('{"mcp": {"servers": {"a": {}}}}', entry("opencode"), false);
  expect(JSON.parse(merged)).toEqual({ mcp: { servers: { a: {}, codemode: entry("opencode").value } } });
});

const TOML = `# mine
model = "o"

[mcp_servers.a]
command = "x" # why
note = """
[mcp_servers.codemode]
"""

[projects."/p"]
trust_level = "trusted"
since = 2026-01-02T03:04:05Z
`;

test("TOML gets a table at its end, and the rest stays", () => {
  const merged = mergeTomlEntry(TOML, entry("codex"), false);
  expect(merged).toBe(`${TOML}\n[mcp_servers.codemode]\ncommand = "npx"\nargs = [ "codemode", "serve" ]\n`);
  expect(mergeTomlEntry(merged, entry("codex"), false)).toBe(merged);
  expect(mergeTomlEntry("", entry("codex"), false)).toBe(merged.slice(TOML.length + 1));
  expect(mergeTomlEntry("a = 1", entry("codex"), false)).toMatch(/^a = 1\n\n\[mcp_servers/);
});

test("our table is renewed in its place, with its own tables", () => {
  const text =
    '[a]\nx = 1\n\n[mcp_servers.codemode] # ours\ncommand = "npx"\nargs = ["codemode", "serve"]\n\n[mcp_servers.codemode.env]\nA = "1"\n\n# next\n[b]\ny = 2';
  const merged = mergeTomlEntry(text, entry("codex", { command: "npx", args: ["codemode@2.0.0", "serve"] }), false);
  expect(merged.startsWith("[a]\nx = 1\n\n[mcp_servers.codemode]")).toBe(true);
  expect(merged.endsWith("\n\n# next\n[b]\ny = 2")).toBe(true);
  expect(parse(merged)).toMatchObject({
    mcp_servers: { codemode: { args: ["codemode@2.0.0", "serve"], env: { A: "1" } } },
  });
});

test.each([
  ["broken TOML", "a = \n", "is not valid TOML"],
  ["servers in one line", 'mcp_servers = { a = { command = "x" } }\n', "in a form that"],
  [
    "our entry in one line",
    'mcp_servers.codemode = { command = "codemode", args = ["serve"] }\n',
    "cannot be replaced",
  ],
  ["another program under our name", '[mcp_servers.codemode]\ncommand = "x"\n', "already"],
  [
    "a header of ours inside a text, and the real one in a line",
    'mcp_servers.codemode = { command = "codemode", args = ["serve"] }\n[a]\nb = """\n[mcp_servers.codemode]\n"""\n',
    "in a form that",
  ],
])("%s is refused", (_name, text, problem) => {
  expect(() => mergeTomlEntry(text, entry("codex"), false)).toThrow(problem);
});
