import type { ValidationIssue } from "@codemode/runtime/validation";
import type { ConfigFile } from "../../../schemas/config/config-file.ts";

/** A validator that the build has printed: nothing in a Worker can make code from text. */
export interface PrintedValidator {
  (value: unknown): boolean;
  errors?: ValidationIssue[] | null;
}

/** A project as `build.js` writes it into the Worker. */
export interface BuiltProject {
  config: ConfigFile;
  /** The text of the lockfile. */
  lockfile: string;
  /** The texts of the pinned bundles, by the names of their scripts. */
  scripts: Readonly<Record<string, string>>;
  /** By the integrity of a tool: what holds its input against the locked schema. */
  inputs: Readonly<Record<string, PrintedValidator>>;
  /** By the name of a script that declares a schema of its input. */
  scriptInputs: Readonly<Record<string, PrintedValidator>>;
}
