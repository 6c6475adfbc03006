import { realpathSync } from "node:fs";
import { expect, test } from "vitest";
import { findConfinement } from "../../runtime/sandbox/pool/confinement.ts";
import { probeProfile, toProfiled } from "../../runtime/sandbox/pool/seatbelt.ts";
import { testOnPosix } from "./needs.ts";

const [, , , , profile = ""] = toProfiled("/opt/node");

test("the profile of macOS is put before Node, whose path is no text of the profile", () => {
  const node = '/Users/a "b")(allow default)/node';
  expect(toProfiled(node)).toEqual(["/usr/bin/sandbox-exec", "-D", `NODE=${node}`, "-p", profile]);
  expect(profile).not.toContain("Users");
});

test("the profile denies network, written files, other programs, signals and services, in rules that are whole", () => {
  const rules = profile.trim().split("\n");
  expect(rules.slice(0, 2)).toEqual(["(version 1)", "(allow default)"]);
  for (const rule of rules) {
    expect(rule).toMatch(/^[\x20-\x7e]+$/);
    expect(rule.split("(").length).toBe(rule.split(")").length);
  }
  expect(lastRuleOf(rules, "network*")).toBe("(deny network*)");
  expect(lastRuleOf(rules, "process-fork")).toBe("(deny process-fork)");
  expect(lastRuleOf(rules, "mach-lookup")).toBe("(deny mach-lookup)");
  // Of these, something narrow is left.
  expect(rules.filter((rule) => / (?:file-write|process-exec|signal)/.test(rule))).toEqual([
    "(deny file-write*)",
    '(allow file-write* (literal "/dev/null") (literal "/dev/dtracehelper"))',
    "(deny process-exec*)",
    '(allow process-exec* (literal (param "NODE")))',
    "(deny signal)",
    "(allow signal (target self))",
  ]);
});

function lastRuleOf(rules: readonly string[], operation: string): string | undefined {
  return rules.findLast((rule) => rule.includes(` ${operation}`));
}

/** Programs that stand for `sandbox-exec`: only macOS has that one. */
const STAND_INS: [string, string[], boolean][] = [
  ["starts Node", ["/usr/bin/env"], true],
  ["refuses to", ["/usr/bin/false"], false],
  ["is not there", ["/nowhere/sandbox-exec"], false],
  ["starts Node without the descriptors of frames", ["/bin/sh", "-c", 'exec "$0" "$@" 4>&-'], false],
];

for (const [what, words, isUsed] of STAND_INS) {
  testOnPosix("programs of POSIX")(
    `a program that ${what} is ${isUsed ? "" : "not "}put before the sandbox`,
    async () => {
      const seen: string[] = [];
      const found = await probeProfile(process.execPath, (node) => {
        seen.push(node);
        return words;
      });
      expect(found).toEqual(isUsed ? words : []);
      expect(seen).toEqual([realpathSync(process.execPath)]);
    },
  );
}

test.each(["darwin", "win32"] as const)("on %s nothing but a profile is put before the sandbox", async (platform) => {
  const { launcher, prlimit } = await findConfinement(process.execPath, platform);
  expect(prlimit).toBe(undefined);
  const isMac = platform === "darwin" && process.platform === "darwin";
  expect(launcher).toEqual(isMac ? toProfiled(realpathSync(process.execPath)) : []);
});

test("a binary that is not there has no profile", async () => {
  expect(await probeProfile("/nowhere/node")).toEqual([]);
});
