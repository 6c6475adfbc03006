import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleScript, type ScriptSource } from "../../../engine/bundle/bundle-script.ts";
import { toCheckRequest } from "../../../engine/check/check-request.ts";
import { findingsBesides } from "../../../engine/check/process/start-checker.ts";
import { makeScriptChecker } from "../../../engine/check/check-script.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { makeSharedFolder } from "../../make-test-folder.ts";
import { emitLockfile } from "../../templates/emit-lockfile.ts";
import { lockedServer } from "../../templates/lockfile-of.ts";
import { TICKETS } from "./tickets.ts";

/** This repository's own servers, and one of the tests'. */
export const LOCKFILE: Lockfile = {
  servers: new Map([
    ...parseLockfile(readFileSync("codemode.lock.json", "utf8"), "codemode.lock.json").servers,
    ["tickets", lockedServer("tickets", TICKETS)],
  ]),
};

const checker = makeScriptChecker();

/** The type errors of code as an agent sends it, or of a file. */
export function typeErrorsOf(code: string, script: Partial<ScriptSource> = {}): Promise<Diagnostic[]> {
  return checker.check(toCheckRequest({ code, name: "script.ts", ...script }, LOCKFILE));
}

/** A project on disk with the packages of all servers. */
interface CheckProject {
  /** Everything that is found before a run: by the bundler, then by the type checker. */
  diagnose(code: string): Promise<Diagnostic[]>;
}

/** What every project has, made once. */
let emitted: ReturnType<typeof emitLockfile> | undefined;

/** Makes one for all tests of a file. */
export async function openCheckProject(): Promise<CheckProject> {
  const generatedFolder = await makeSharedFolder();
  for (const { path, text } of await (emitted ??= emitLockfile(LOCKFILE))) {
    mkdirSync(dirname(join(generatedFolder, path)), { recursive: true });
    writeFileSync(join(generatedFolder, path), text);
  }
  return {
    async diagnose(code) {
      const outcome = await bundleScript({ code, name: "script.ts" }, { generatedFolder, lockfile: LOCKFILE });
      const findings = outcome.ok ? outcome.warnings : outcome.diagnostics;
      return [...findings, ...findingsBesides(await typeErrorsOf(code), findings)];
    },
  };
}
