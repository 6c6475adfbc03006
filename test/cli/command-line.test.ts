import { explainPermission } from "../../cli/start-command.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { COMMANDS, GLOBAL_OPTIONS } from "../../cli/commands.ts";
import { HELP_WIDTH, type HelpSection, helpSections } from "../../cli/print/print-help.ts";
import { runCli } from "../../cli/run-cli.ts";

/** What the command line answers to words that end before a command starts: standard error and the exit code. */
async function refuse(...argv: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const code = await runCli(argv, { result: () => expect.unreachable(), note: (text) => lines.push(text) });
  return { code, lines };
}

const bare = (program: string) =>
  [
    "error: codemode add: the command of a server comes after --",
    `hint: Write \`codemode add files -- ${program} …\`. Yarn 1 takes the -- away: type \`npx codemode\` instead of \`yarn codemode\`.`,
  ] as const;

test.each([
  [["rn", "a.ts"], 'error: Unknown command "rn".', 'hint: Did you mean "run"?'],
  [["frobnicate"], 'error: Unknown command "frobnicate".', "hint: Run `codemode --help` for the list of commands."],
  [["run", "--frozn"], "error: Unknown option --frozn of `codemode run`.", "hint: Did you mean --frozen?"],
  [
    ["run", "--max-memry=1"],
    "error: Unknown option --max-memry of `codemode run`.",
    "hint: Did you mean --max-memory?",
  ],
  [["ui", "--no-opn"], "error: Unknown option --no-opn of `codemode ui`.", "hint: Did you mean --no-open?"],
  [["tools", "--jsn"], "error: Unknown option --jsn of `codemode tools`.", "hint: Did you mean --json?"],
  [
    ["tools", "-x"],
    "error: Unknown option -x of `codemode tools`.",
    "hint: Run `codemode tools --help` for the list of options.",
  ],
  [["--verbos"], "error: Unknown option --verbos.", "hint: Did you mean --verbose?"],
  [
    ["call"],
    "error: codemode call <tool> [json]: the tool is missing",
    "hint: Run `codemode call --help` for the options of a command.",
  ],
  [
    ["ui", "a", "b"],
    'error: codemode ui: "a" is one argument too many',
    "hint: Run `codemode ui --help` for the options of a command.",
  ],
  [
    ["run", "--timeout"],
    "error: --timeout: it needs a value",
    "hint: Run `codemode run --help` for the options of a command.",
  ],
  [
    ["run", "a.ts", "--approve", "files/write_file"],
    'error: --approve: it takes no value, so "files/write_file" is one argument too many',
    "hint: Run `codemode run --help` for the options of a command.",
  ],
  // What Yarn 1 passes on of `yarn codemode add files -- npx -y server`.
  [["add", "files", "npx", "-y", "server"], ...bare("npx")],
  [["add", "files", "node", "server.js"], ...bare("node")],
])("%j is refused with a cause and a hint", async (argv, cause, hint) => {
  expect(await refuse(...argv)).toEqual({ code: 2, lines: [cause, hint] });
});

test("every line of the help fits the width of the help", () => {
  const helps = [undefined, ...COMMANDS].flatMap((command) => [helpSections(command), helpSections(command, true)]);
  const lines = helps.flatMap((sections) => sections.flatMap(({ body }) => body.split("\n")));
  expect(lines.filter((line) => line.length > HELP_WIDTH || /\s$/.test(line))).toEqual([]);
});

const textOf = (sections: HelpSection[]): string =>
  sections.map(({ title, body }) => `${title ?? ""}\n${body}`).join("\n");

test("`help` is another word for `--help`", async () => {
  const print = vi.spyOn(console, "info").mockImplementation(() => {});
  onTestFinished(() => print.mockRestore());
  for (const argv of [["help", "run"], ["run", "--help"], ["help"], ["--help"]]) expect(await runCli(argv)).toBe(0);
  const [asWord, asOption, all, allAsOption] = print.mock.calls;
  expect(asWord).toEqual(asOption);
  expect(all).toEqual(allAsOption);
  expect(String(asWord)).toContain("codemode run");
});

test("the help of a command shows its details and ten options at most, and with --all all of them by group", () => {
  const run = COMMANDS.find(({ usage }) => usage === "run [script]");
  const [short, all] = [textOf(helpSections(run)), textOf(helpSections(run, true))];
  expect(short.replaceAll("\n", " ")).toContain(run?.details);
  for (const { flag } of [...(run?.options ?? []), ...GLOBAL_OPTIONS]) expect(all).toContain(flag);
  expect(all).toContain("Many inputs\n  --inputs <file>");
  expect(short).not.toContain("--inputs");
  expect(short).toContain("More, with `codemode run --help --all`: input and identity, many inputs,");
  for (const { usage, options } of COMMANDS)
    expect(options.filter(({ group }) => group === undefined).length, usage).toBeLessThanOrEqual(10);
});

test("the help of the program describes the eight commands of every day, and names the others", () => {
  const [short, all] = [textOf(helpSections()), textOf(helpSections(undefined, true))];
  for (const { usage, description, isDaily } of COMMANDS) {
    expect(short).toContain(usage.split(" ")[0]);
    expect(all).toContain(description);
    if (isDaily === true) expect(short).toContain(description);
    else expect(short).not.toContain(description);
  }
  expect(COMMANDS.filter(({ isDaily }) => isDaily === true)).toHaveLength(8);
});

test("descriptions begin with a capital letter and end without a full stop", () => {
  const all = [...COMMANDS, ...COMMANDS.flatMap(({ options }) => options), ...GLOBAL_OPTIONS];
  expect(all.map(({ description }) => description).filter((text) => !/^[A-Z].*[^.]$/.test(text))).toEqual([]);
});

test("a Node that may not do what codemode needs gets a list of the permissions that it lacks", () => {
  const permission = (granted: string[]) => ({
    has: (scope: string, path = "") => granted.includes(scope) || granted.includes(`${scope} ${path}`),
  });
  expect(explainPermission(undefined, "/program")).toBeUndefined();
  expect(explainPermission(permission(["fs.read", "child", "worker"]), "/program")).toBeUndefined();
  expect(explainPermission(permission(["fs.read /program"]), "/program")).toBe(
    "error: Node runs with --permission, and lacks --allow-fs-read=*, --allow-child-process, --allow-worker.\n" +
      "hint: Add these, and --allow-fs-write for the project, or start codemode without --permission.\n",
  );
});
