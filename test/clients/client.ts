import type { Step } from "./model/decide.ts";
import type { ScenarioName } from "./scenarios.ts";

/** Where a client runs. Nothing of the account that starts the trial is visible to it. */
export interface Place {
  /** The client's own home. */
  home: string;
  /** A project with `codemode.config.json`, which trusts its servers. */
  project: string;
  /** The folder that holds the client's `node_modules`. */
  installed: string;
  /** The address of the scripted model, without a path. */
  model: string;
  /** How a program of a library reaches codemode. Clients have an entry instead. */
  server: ServerTarget;
}

/** The command of a local server, or the address of one over HTTP. */
export type ServerTarget =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> };

/** An agent, or a library for agents, and how to run it without a person. */
export interface Client {
  /** As in `npm run clients -- ID`. */
  id: string;
  title: string;
  kind: "client" | "library";
  /** npm packages of versions.json; the first is the client itself. */
  packages: readonly [string, ...string[]];
  /** The words after `codemode install`, if it reads a file. */
  entry?: readonly string[];
  /** Its variables beside those of `makeEnvironment`. */
  environment(place: Place): Record<string, string>;
  /** Writes its own settings: the model, and the answers that a person has given once. */
  prepare?(place: Place): Promise<void>;
  /** Adds to the entry what a trial needs beside it. */
  adjustEntry?(place: Place): Promise<void>;
  /** The words of its command. */
  command(place: Place, prompt: string): readonly string[];
  /** How its model reads resources, if its client has a tool for that. */
  resources?: readonly Step[];
  /** How its model runs a command in a shell, if the trial of the skill uses this client. */
  shell?(command: string): Step;
  /** Trials that it cannot make, with the reason. */
  impossible?: Partial<Record<ScenarioName, string>>;
  /** It declines each form where no person sits at it: an operator is asked only where it may not give approvals. */
  declinesForms?: true;
  /** What its user has to know, for the page. */
  note?: string;
}
