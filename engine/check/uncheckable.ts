import { describeTooMuch, type Undone } from "../process/describe-unanswered.ts";

export const UNCHECKED: Undone = { code: "TYPE_ERROR", failure: "The types of the script could not be checked" };

/** What is said of a script that is too much for the checker. */
export const UNCHECKABLE = describeTooMuch(UNCHECKED);
