const read = 'import { read_text_file } from "@codemode/servers/files";\n';
const shop = 'import { query } from "@codemode/servers/shop";\n';

/**
 * Mistakes that models make in scripts, each with what its answer has to hold: the right name, or what to do instead. They were written down before
 * any answer was looked at. Numbers and names in them are those of the servers of the tasks.
 */
export const MISTAKES = [
  {
    id: "a tool's name is misspelt",
    code: 'import { read_textfile } from "@codemode/servers/files";\nexport default await read_textfile({ path: "retire.txt" });',
    fix: ["read_text_file"],
  },
  {
    id: "a tool's name is in camel case",
    code: 'import { listDirectory } from "@codemode/servers/files";\nexport default await listDirectory({ path: "." });',
    fix: ["list_directory"],
  },
  {
    id: "a tool's name is made up",
    code: 'import { run_sql } from "@codemode/servers/shop";\nexport default await run_sql({ sql: "SELECT 1" });',
    fix: ["query"],
  },
  {
    id: "a tool is imported from another server",
    code: 'import { query } from "@codemode/servers/files";\nexport default await query({ sql: "SELECT 1" });',
    fix: ["@codemode/servers/shop"],
  },
  {
    id: "a server is misspelt",
    code: 'import { query } from "@codemode/servers/shops";\nexport default await query({ sql: "SELECT 1" });',
    fix: ["@codemode/servers/shop"],
  },
  {
    id: "a server is unknown",
    code: 'import { query } from "@codemode/servers/database";\nexport default await query({ sql: "SELECT 1" });',
    fix: ["shop", "files", "git"],
  },
  {
    id: "a server is imported without its prefix",
    code: 'import { query } from "shop";\nexport default await query({ sql: "SELECT 1" });',
    fix: ["@codemode/servers/shop"],
  },
  {
    id: "a server is imported as a default",
    code: 'import shop from "@codemode/servers/shop";\nexport default await shop.query({ sql: "SELECT 1" });',
    fix: [/import (?:\* as shop|\{)/],
  },
  {
    id: "a tool is called without an import",
    code: 'export default await query({ sql: "SELECT 1" });',
    fix: [/import \{ query \} from [\\"']+@codemode\/servers\/shop/],
  },
  {
    id: "tools are taken from a global object",
    code: 'export default await tools.shop.query({ sql: "SELECT 1" });',
    fix: ["import", "@codemode/servers/"],
  },
  {
    id: "a function of the discovery is made up",
    code: 'import { findTools } from "@codemode/discovery";\nexport default await findTools("query");',
    fix: ["searchTools"],
  },
  {
    id: "an argument has another name",
    code: 'import { list_directory } from "@codemode/servers/files";\nexport default await list_directory({ folder: "." });',
    fix: ["path"],
  },
  { id: "a required argument is missing", code: `${shop}export default await query({ params: [] });`, fix: ["sql"] },
  {
    id: "an optional argument is misspelt",
    code: `${read}export default await read_text_file({ path: "retire.txt", heads: 1 });`,
    fix: ["head"],
  },
  {
    id: "a number is passed as a string",
    code: `${read}export default await read_text_file({ path: "retire.txt", head: "3" });`,
    fix: ["number", "quotes"],
  },
  {
    id: "a value is not one of the allowed ones",
    code: 'import { git_tag } from "@codemode/servers/git";\nexport default await git_tag({ path: "{repo}", mode: "show" });',
    fix: ["list", "create", "delete", "verify"],
  },
  {
    id: "arguments are positional",
    code: `${read}export default await read_text_file("retire.txt");`,
    fix: [/\{ ?\\?"?path/],
  },
  {
    id: "await is missing before a call",
    code: `${read}const file = read_text_file({ path: "retire.txt" });\nexport default file.content.length;`,
    fix: ["await"],
  },
  {
    id: "a call is not awaited at all",
    code: 'import { write_file } from "@codemode/servers/files";\nwrite_file({ path: "reports/a.txt", content: "a" });\nexport default "written";',
    fix: ["await"],
  },
  {
    id: "JSON.parse of an object",
    code: `${shop}export default JSON.parse(await query({ sql: "SELECT 1 AS one" })).rows;`,
    fix: [/already|without JSON\.parse|Leave out JSON\.parse|is no(?:t a)? string|object/],
  },
  {
    id: "a result has another member",
    code: `${shop}const { data } = await query({ sql: "SELECT 1 AS one" });\nexport default data.length;`,
    fix: ["rows"],
  },
  {
    id: "a result is taken for its text",
    code: `${read}const text = await read_text_file({ path: "retire.txt" });\nexport default text.split("\\n");`,
    fix: ["content"],
  },
  {
    id: "the result is missing",
    code: `${read}await read_text_file({ path: "retire.txt" });`,
    fix: ["export default"],
  },
  {
    id: "a bracket is missing",
    code: `${shop}export default (await query({ sql: "SELECT 1 AS one" }).rows;`,
    fix: ["script.ts:2:", ")"],
  },
  {
    id: "require",
    code: 'const fs = require("node:fs");\nexport default fs.readFileSync("retire.txt", "utf8");',
    fix: ["import", "@codemode/servers"],
  },
  {
    id: "a module of Node",
    code: 'import { readFile } from "node:fs/promises";\nexport default await readFile("retire.txt", "utf8");',
    fix: ["@codemode/servers"],
  },
  {
    id: "a package of npm",
    code: 'import { groupBy } from "lodash";\nexport default groupBy([1, 2], (n) => n % 2);',
    fix: ["Write the code that you need into the script"],
  },
  {
    id: "fetch",
    code: 'const answer = await fetch("https://example.com");\nexport default await answer.text();',
    fix: ["network", "tool"],
  },
  { id: "process.env", code: "export default process.env.HOME;", fix: ["process", /sandbox|__codemode_input__/] },
  {
    id: "an infinite loop",
    code: "let count = 0;\nwhile (true) count += 1;\nexport default count;",
    settings: { limits: { timeoutMs: 1000 } },
    fix: ["timeoutMs", /loop|less/],
  },
  {
    id: "too many calls in a loop",
    code: `${shop}for (let id = 1; ; id += 1) await query({ sql: "SELECT 1 AS one" });`,
    settings: { limits: { maxToolCalls: 20 } },
    fix: ["maxToolCalls", "20"],
  },
  {
    id: "a result is too large",
    code: "export default Array.from({ length: 9000 }, (_, id) => ({ id, name: `row ${id}` }));",
    fix: ["import previous from", "return less"],
  },
  {
    id: "a tool is denied",
    code: 'import { toggle_simulated_logging } from "@codemode/servers/everything";\nexport default await toggle_simulated_logging();',
    fix: ["policy", "everything/toggle-simulated-logging"],
  },
  {
    id: "a tool reports an error",
    code: `${shop}export default await query({ sql: "SELECT title FROM products" });`,
    fix: ["no such column: title", "script.ts:2:"],
  },
  {
    id: "a tool has changed meanwhile",
    code: 'import { rest, work } from "@codemode/servers/changing";\nawait work({ n: 1, act: "announce", change: "rest" });\nexport default [await rest({ n: 2 }), await rest({ n: 3 })];',
    fix: ["LOCK_DRIFT", "tools changed: rest", "a person is then asked about the change"],
  },
];
