import type { Diagnostic, LogEntry, RunAnswer, ToolTraceEntry } from "../../../schemas/run/answer.ts";
import type { ManifestTool } from "../../../schemas/run/bundle.ts";
import type { ServerChange } from "../../../schemas/diff/diff-lockfiles.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { PolicyVerdict } from "../../../schemas/access/policy.ts";
import type { ServerQuestion } from "../../../schemas/run/question.ts";
import type { RunReport } from "../report/run-report.ts";

// What the page of `codemode ui` and its server tell each other. What comes from servers and scripts is hostile text in all of it.

/** The project as the page lists it. */
export interface ProjectView {
  /** The name of the project's folder. */
  name: string;
  version: string;
  servers: ServerView[];
  scripts: ScriptRow[];
}

/** A folder without any server yet. */
export interface FirstStartView {
  /** Of the folder. */
  name: string;
  folder: string;
  hasConfiguration: boolean;
  /** Why its servers cannot be used as they are. */
  problem?: string;
}

export interface ServerView {
  id: string;
  /** How it is reached: the command, or the address. */
  source: string;
  /** What the server calls itself, with its version. */
  title: string;
  protocolVersion: string;
  instructions?: string;
  tools: ToolRow[];
}

export interface ToolRow {
  name: string;
  exportName: string;
  /** The first line of what the server says of it. */
  summary: string;
  verdict: PolicyVerdict;
}

/** An approval that a run of `codemode serve` waits for. */
export interface ApprovalRow {
  id: string;
  /** Over all that is shown of it: the answer names it. */
  digest: string;
  /** The client whose script asks; absent for one without a name. */
  client?: string;
  /** Whether it is about a script before it runs, or about one call of it. */
  kind: "script" | "call" | "server";
  /** One line for each tool, or what is shown of the call. */
  lines: string[];
  /** The code of the script, its input and its digest, line for line. */
  script: string[];
  /** The answers, by the word that `ApprovalAnswer` has for each. */
  choices: { value: string; title: string }[];
}

/** What a person answers to one. */
export interface PageAnswer {
  decision: string;
  /** The reason, or JSON: what the decision needs. */
  text: string;
  /** Of the account; a refusal needs none. */
  passphrase: string;
}

/** A durable run of the project as it is listed. */
export interface DurableRow {
  id: string;
  script: string;
  /** The client whose run it is; absent for the operator. */
  client?: string;
  /** How it stands and what it waits for, in words. */
  state: string;
  /** When it was begun and how much it has called, in words. */
  begun: string;
  hasEnded: boolean;
}

export interface DurableList {
  /** The newest first. */
  rows: DurableRow[];
  /** How many there are, listed or not. */
  total: number;
  /** Why they cannot be read, where the project is to have some. */
  problem?: string;
}

/** All about one durable run. */
export interface DurableView extends DurableRow {
  /** What to type to go on with it; absent where it goes on, or has ended. */
  resume?: string;
  /** The lines of each question that a person is asked. */
  questions: string[][];
  /** The end of its time line. */
  steps: string[];
  /** How many lines the time line has before that. */
  before: number;
  /** Absent where there is none yet, or the run has failed. */
  result?: JsonValue;
}

/** A script of the configuration. */
export interface ScriptRow {
  name: string;
  file: string;
  description?: string;
}

export interface ListedPlace {
  serverId: string;
  toolName: string;
}

/** All about one tool. */
export interface ToolView extends ListedPlace {
  exportName: string;
  title?: string;
  description?: string;
  annotations?: JsonValue;
  /** What these claim, in words. */
  claims: string;
  verdict: PolicyVerdict;
  integrity: string;
  /** The TypeScript declarations that a script sees. */
  declarations: string;
  /** What the type of its results rests on; absent where the server declares it, or where nothing is known. */
  observed?: string;
}

/** How the live server differs from the lockfile; undefined where it does not. */
export interface DriftView {
  change?: ServerChange;
}

/** What is written in the editor. */
export interface Draft {
  code: string;
  /** The script of the configuration that it is a version of: relative imports are from its folder. */
  script?: string;
}

/** What is known of a draft without running it. */
export interface DraftReview {
  diagnostics: Diagnostic[];
  /** What it may call; absent where it cannot be bundled. */
  tools?: (ManifestTool & { policy: PolicyVerdict })[];
}

/** A place in a draft, in UTF-16 units from 0. */
export interface DraftPlace extends Draft {
  offset: number;
}

/** A script as it is in its file. */
export interface ScriptView extends ScriptRow {
  code: string;
  /** Of the text; a save request contains it, so that concurrent changes are detected. */
  digest: string;
}

export interface RunDraft extends Draft {
  input: JsonValue;
  /** Call only tools that claim that they only read. */
  isDry: boolean;
}

/** What happens in a run, as it happens. */
export type DraftEvent =
  | { kind: "log"; entry: LogEntry }
  | { kind: "call-started"; number: number; serverId: string; toolName: string }
  | { kind: "call-ended"; number: number; entry: ToolTraceEntry }
  | { kind: "call-skipped"; text: string }
  | { kind: "approval"; id: string; message: string }
  | { kind: "question"; id: string; question: ServerQuestion }
  | { kind: "answer"; answer: RunAnswer; report: RunReport };

/** Why a request was not answered. */
export interface UiProblem {
  error: { message: string; hint?: string };
}
