import type { Attack } from "../attack.ts";
import { answerAttacks } from "./answers.ts";
import { callAttacks } from "./calls.ts";
import { codeAttacks } from "./code.ts";
import { constructorAttacks } from "./constructors.ts";
import { endowmentAttacks } from "./endowments.ts";
import { errorAttacks } from "./errors.ts";
import { globalAttacks } from "./globals.ts";
import { intrinsicAttacks } from "./intrinsics.ts";
import { promiseAttacks } from "./promises.ts";
import { webAttacks } from "./web.ts";

/** The whole corpus, by theme. */
export const ATTACKS: Record<string, Attack[]> = {
  constructors: constructorAttacks,
  globals: globalAttacks,
  endowments: endowmentAttacks,
  "the web's globals": webAttacks,
  errors: errorAttacks,
  intrinsics: intrinsicAttacks,
  promises: promiseAttacks,
  "code from text": codeAttacks,
  "tool calls": callAttacks,
  answers: answerAttacks,
};
