import { CodemodeError } from "./codemode-error.ts";

// The errors of the command line's words, sorted by name.

/** Another answer was given before. */
export const approvalAnswered = (id: string): CodemodeError =>
  new CodemodeError("APPROVAL_UNKNOWN", 2, `The approval "${id}" has another answer already.`, "The first one counts.");

/** An approval was given where it may be the agent that gives it, or with another passphrase. */
export const approvalNotPersonal = (problem: string, hint: string): CodemodeError =>
  new CodemodeError("APPROVAL_NOT_PERSONAL", 2, `The approval is not given: ${problem}.`, hint);

/** Another question has the id by now than was shown. */
export const approvalStale = (id: string): CodemodeError =>
  new CodemodeError(
    "APPROVAL_UNKNOWN",
    2,
    `Another question has the id "${id}" now than was shown.`,
    "Run the command again, and read it.",
  );

/** No run waits for an approval of that id. */
export const approvalUnknown = (id: string): CodemodeError =>
  new CodemodeError(
    "APPROVAL_UNKNOWN",
    2,
    `No run waits for the approval "${id}".`,
    "`codemode approvals` lists the ones that wait.",
  );

/** The command line names a command that does not exist. */
export const commandUnknown = (name: string, nearest: string | undefined): CodemodeError =>
  new CodemodeError(
    "COMMAND_UNKNOWN",
    2,
    `Unknown command "${name}".`,
    nearest === undefined ? "Run `codemode --help` for the list of commands." : `Did you mean "${nearest}"?`,
  );

/** The command line has an option that the command does not have. Without a command, it is an option of the program. */
export const optionUnknown = (flag: string, nearest: string | undefined, command: string | undefined): CodemodeError =>
  new CodemodeError(
    "OPTION_UNKNOWN",
    2,
    command === undefined ? `Unknown option ${flag}.` : `Unknown option ${flag} of \`codemode ${command}\`.`,
    nearest === undefined
      ? `Run \`codemode ${command === undefined ? "" : `${command} `}--help\` for the list of options.`
      : `Did you mean ${nearest}?`,
  );

/** A new passphrase was not given twice, or is too short. */
export const passphraseNotSet = (problem: string, hint: string): CodemodeError =>
  new CodemodeError("APPROVALS_NOT_SET_UP", 2, `The passphrase is not set: ${problem}.`, hint);

/** The command of a server stands among the words for codemode. */
export const serverCommandBare = (name: string, program: string): CodemodeError =>
  new CodemodeError(
    "INVALID_OPTION",
    2,
    "codemode add: the command of a server comes after --",
    `Write \`codemode add ${name} -- ${program} …\`. Yarn 1 takes the -- away: type \`npx codemode\` instead of \`yarn codemode\`.`,
  );

/** A document says what to start or reach, and no person has agreed to it. */
export const serverUnconfirmed = (name: string, shown: readonly string[]): CodemodeError =>
  new CodemodeError(
    "PROJECT_UNTRUSTED",
    2,
    `The server "${name}" comes from a document, and no person has agreed to it, so it was not added: ${shown.join("; ")}.`,
    "Review it. Then answer the question on a terminal, or add --trust.",
  );
