import { toCheckRequest } from "../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../engine/check/check-script.ts";
import { positionAt } from "../../engine/bundle/syntax/source-position.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Misspelt } from "./misspell.ts";

const checker = makeScriptChecker();

/** Errors and warnings of a script. */
export async function findProblems(code: string, lockfile: Lockfile): Promise<Diagnostic[]> {
  const found = await checker.check(toCheckRequest({ name: "script.ts", code }, lockfile));
  return found.filter(({ severity }) => severity !== "info");
}

/** Whether a misspelt script is refused with an error at the misspelt field, whose hint names the right one. */
export async function isRefused({ code, name, offset }: Misspelt, lockfile: Lockfile): Promise<boolean> {
  const { line, column } = positionAt(code, offset);
  const problems = await findProblems(code, lockfile);
  return problems.some(
    ({ severity, path, hint }) =>
      severity === "error" && path === `script.ts:${line}:${column}` && hint?.includes(`\`${name}\``) === true,
  );
}
