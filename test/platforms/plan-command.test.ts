import { describe, expect, test } from "vitest";
import { type CommandPlace, planCommand } from "../../runtime/mcp/client/stdio/server-process.ts";

const NODE = "C:\\Program Files\\nodejs";
const FILES = [`${NODE}\\npx`, `${NODE}\\npx.cmd`, `${NODE}\\node.exe`]
  .concat("C:\\tools\\uvx.exe", "C:\\work\\own.bat", "C:\\work\\npx.exe")
  .map((path) => path.toLowerCase());

const WINDOWS: CommandPlace = {
  platform: "win32",
  env: { Path: `.;relative;"${NODE}";C:\\tools`, SYSTEMROOT: "C:\\Windows" },
  cwd: "C:\\work",
  isFile: (path) => FILES.includes(path.toLowerCase()),
};

/** The line that `cmd.exe` runs. */
function lineOf(command: string, args: readonly string[]): string | undefined {
  const planned = planCommand(command, args, WINDOWS);
  expect(planned).toMatchObject({ file: "C:\\Windows\\System32\\cmd.exe", isVerbatim: true });
  expect(planned?.args.slice(0, -1)).toEqual(["/e:on", "/v:off", "/d", "/c"]);
  return planned?.args.at(-1);
}

test.each(["linux", "darwin"] as const)("on %s a command is spawned as it is", (platform) => {
  const planned = planCommand("npx", ["-y", "a b"], { ...WINDOWS, platform });
  expect(planned).toEqual({ file: "npx", args: ["-y", "a b"], isVerbatim: false });
});

describe("on Windows", () => {
  test("a program is found on the PATH, and not in the working folder or a relative one", () => {
    expect(planCommand("uvx", ["a"], WINDOWS)).toEqual({ file: "C:\\tools\\uvx.exe", args: ["a"], isVerbatim: false });
    expect(planCommand("node.exe", [], WINDOWS)?.file).toBe(`${NODE}\\node.exe`);
    expect(planCommand("missing", [], WINDOWS)).toEqual({ file: "missing", args: [], isVerbatim: false });
  });

  test("npx is npx.cmd, which cmd.exe runs", () => {
    expect(lineOf("npx", ["-y", "@acme/weather@1.0.2"])).toBe(`""${NODE}\\npx.cmd" "-y" "@acme/weather@1.0.2""`);
    expect(lineOf("NPX.CMD", [])).toBe(`""${NODE}\\NPX.CMD""`);
    expect(lineOf(".\\own", [])).toBe('""C:\\work\\own.bat""');
  });

  test.each([
    ["an operator", "https://a.example/?a=1&b=2|c>d^e", '"https://a.example/?a=1&b=2|c>d^e"'],
    ["a quote", 'say "hi" & calc', '"say ""hi"" & calc"'],
    ["backslashes before a quote", 'a\\\\"b', '"a\\\\\\\\""b"'],
    ["backslashes at the end", "C:\\folder\\", '"C:\\folder\\\\"'],
    ["a variable", "%PATH%", '"%%cd:~,%PATH%%cd:~,%"'],
    ["nothing", "", '""'],
  ])("an argument with %s stays one argument", (_, argument, quoted) => {
    expect(lineOf("npx", [argument])).toBe(`""${NODE}\\npx.cmd" ${quoted}"`);
  });

  test("an argument that would end the command is refused", () => {
    for (const argument of ["a\nb", "a\rb", "a\0b"]) expect(planCommand("npx", [argument], WINDOWS)).toBeUndefined();
    expect(planCommand("uvx", ["a\nb"], WINDOWS)).toMatchObject({ isVerbatim: false });
  });
});
