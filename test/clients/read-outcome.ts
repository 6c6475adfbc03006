import { findInSearches, FINISHED, findOffered, fullName, listAnswers } from "./model/decide.ts";
import type { SeenRequest } from "./model/start-model.ts";
import type { OperatorReport } from "./operator.ts";
import { MARK } from "./scenarios.ts";

/** What reached the model in one trial. */
export interface Outcome {
  /** The name of codemode's tool; undefined where no request offered or found it. */
  name?: string;
  /** The name for which the API refused the requests. */
  refusedName?: string;
  /** Whether the first request offered the tool, or one after a search. */
  isFromStart: boolean;
  description?: SeenDescription;
  answers: SeenAnswer[];
  /** Whether the model came to the end of its script. */
  isFinished: boolean;
  /** What the client printed last, if the model did not come to the end. */
  output?: string;
  seconds: number;
  /** Of the person who answered outside of the client. */
  operator?: OperatorReport | undefined;
}

export interface SeenDescription {
  characters: number;
  /** `changed` where the client rewrites it. */
  state: "whole" | "cut" | "changed";
  text: string;
}

export interface SeenAnswer {
  characters: number;
  images: number;
  /** How often the line that the script returns occurs. */
  marks: number;
  /** The beginning. */
  text: string;
}

const KEPT_CHARACTERS = 3000;

/** Reads a trial from the requests that reached the model. `description` is the whole one that codemode serves. */
export function readOutcome(
  requests: readonly SeenRequest[],
  description: string,
): Omit<Outcome, "output" | "seconds"> {
  // Clients also ask for titles and summaries, without the tools or the prompt.
  const turns = requests.filter(({ prompt, tools }) => prompt !== "" && tools.length > 0);
  const at = turns.findIndex(({ tools }) => findOffered(tools) !== undefined);
  const last = turns.at(-1);
  const seen = findOffered(turns[at]?.tools ?? []) ?? (last === undefined ? undefined : findInSearches(last));
  const refusedName = turns.find((turn) => turn.refusedName !== undefined)?.refusedName;
  return {
    ...(seen === undefined ? {} : { name: fullName(seen) }),
    ...(refusedName === undefined ? {} : { refusedName }),
    isFromStart: at === 0,
    ...(seen === undefined ? {} : { description: compareDescription(seen.description, description) }),
    answers: (last === undefined ? [] : listAnswers(last)).map(({ text, images }) => ({
      characters: text.length,
      images,
      marks: text.split(MARK).length - 1,
      text: text.slice(0, KEPT_CHARACTERS),
    })),
    isFinished: last?.turn !== undefined && "text" in last.turn && last.turn.text === FINISHED,
  };
}

function compareDescription(seen: string, whole: string): SeenDescription {
  const characters = seen.length;
  if (squeeze(seen).includes(squeeze(whole))) return { characters, state: "whole", text: seen };
  // Clients that cut add a remark of a few words.
  const beginning = squeeze(seen).slice(0, -40);
  return {
    characters,
    state: beginning !== "" && squeeze(whole).startsWith(beginning) ? "cut" : "changed",
    text: seen,
  };
}

/** The text without differences in white space, in forms of characters, or in the spelling of the tool's name. */
function squeeze(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/codemode[._-]run/g, "run")
    .replaceAll(/\s+/g, " ")
    .trim();
}
