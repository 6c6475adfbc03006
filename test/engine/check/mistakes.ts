import { MISTAKES_IN_INPUTS } from "./mistakes/inputs.ts";
import { MISTAKES_IN_NAMES } from "./mistakes/names.ts";
import { MISTAKES_IN_RESULTS } from "./mistakes/results.ts";
import type { Mistake } from "./mistakes/mistake.ts";

/** Over the real servers of this repository, and one with enums and nested objects. */
export const MISTAKES: readonly Mistake[] = [...MISTAKES_IN_NAMES, ...MISTAKES_IN_INPUTS, ...MISTAKES_IN_RESULTS];
