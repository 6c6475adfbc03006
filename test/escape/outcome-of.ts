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

/** The script that tries it. */
export function scriptOf({ code }: Attack): string {
  return `${PROBES}
    const attack = async function () { ${code}\n };
    let got;
    try { got = await attack.call(undefined); } catch (error) { got = walk(error); }
    globalThis.__codemode_result__ = got ? "got out: " + String(got) : "${HELD}";`;
}

export function judgeAttack({ isRefused, mayEndWith }: Attack, answer: RunAnswer): string {
  const text = JSON.stringify(answer);
  const leaked = MACHINE.find((name) => text.includes(name));
  if (leaked !== undefined) return `the answer names ${leaked}`;
  if (isRefused === true) return answer.diagnostics[0]?.code === "SYNTAX_ERROR" ? HELD : text;
  const errors = answer.diagnostics.filter(({ severity }) => severity === "error");
  if (mayEndWith !== undefined && errors.length === 1 && errors[0]?.message === mayEndWith) return HELD;
  return answer.result === HELD && errors.length === 0 ? HELD : text;
}
