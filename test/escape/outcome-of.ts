import type { RunAnswer } from "../../schemas/run/answer.ts";
import { runScript, type ScriptOptions } from "../sandbox/realm/run-script.ts";
import { answerHostile } from "./answer-hostile.ts";
import type { Attack } from "./attack.ts";
import { PROBES } from "./probes.ts";

export const HELD = "held";
/** Of this machine: none of it may be in an answer. */
const MACHINE = [
  process.cwd(),
  "node:internal",
  "boot.cjs",
  "main.js",
  "realm.js",
  "ses.js",
  "codemode:main",
  "codemode:ses",
  process.execPath,
];

/** `held`, or what the attack got, as a text. */
export async function outcomeOf(attack: Attack, options: ScriptOptions): Promise<string> {
  return judgeAttack(attack, await runScript(scriptOf(attack), { ...options, answerCall: answerHostile }));
}

/**
 * What each of some attacks comes to, by name, in one run that tries them in turn. One that must not start, may end its run, or gets
 * something in company has a run of its own: a script may well change its own globals, and fool itself.
 */
export async function outcomesTogether(
  attacks: readonly Attack[],
  options: ScriptOptions,
): Promise<Record<string, string>> {
  const inCompany = attacks.filter(({ isRefused, mayEndWith }) => isRefused !== true && mayEndWith === undefined);
  const tries = inCompany.map(({ name, code }) => `outcomes[${JSON.stringify(name)}] = ${tryOf(code)};`);
  const script = `${PROBES} const outcomes = {}; ${tries.join("\n")} globalThis.__codemode_result__ = outcomes;`;
  const answer = await runScript(script, { ...options, answerCall: answerHostile });
  const isClean = findMachine(JSON.stringify(answer)) === undefined && answer.diagnostics.length === 0;
  const together = isClean ? (answer.result as Record<string, string>) : {};
  const outcomes = attacks.map(
    async (attack) => [attack.name, together[attack.name] === HELD ? HELD : await outcomeOf(attack, options)] as const,
  );
  return Object.fromEntries(await Promise.all(outcomes));
}

/** The script that tries it. */
export function scriptOf({ code }: Attack): string {
  return `${PROBES} globalThis.__codemode_result__ = ${tryOf(code)};`;
}

/** The expression of what an attack gets. */
function tryOf(code: string): string {
  return `await (async () => {
    const attack = async function () { ${code}\n };
    let got;
    try { got = await attack.call(undefined); } catch (error) { got = walk(error); }
    return got ? "got out: " + String(got) : "${HELD}";
  })()`;
}

export function judgeAttack({ isRefused, mayEndWith }: Attack, answer: RunAnswer): string {
  const text = JSON.stringify(answer);
  const leaked = findMachine(text);
  if (leaked !== undefined) return `the answer names ${leaked}`;
  if (isRefused === true) return answer.diagnostics[0]?.code === "SYNTAX_ERROR" ? HELD : text;
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error");
  if (mayEndWith !== undefined && errors.length === 1 && errors[0]?.message === mayEndWith) return HELD;
  return answer.result === HELD && errors.length === 0 ? HELD : text;
}

function findMachine(text: string): string | undefined {
  return MACHINE.find((name) => text.includes(name));
}
