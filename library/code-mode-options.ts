import type { Policy } from "../schemas/config/config-file.ts";
import type { EngineOptions } from "./engine-options.ts";

/** How own tools become code mode. Everything has a default. */
export interface CodeModeOptions<Context = unknown> extends Omit<
  EngineOptions<Context>,
  "script" | "callsOnly" | "frozen"
> {
  /** The folder of a project whose configured servers stand beside the own ones. Without it, and without `lock`, no file is read or written. */
  project?: string | undefined;
  /** Trusts the programs and addresses of the project's configuration, as in `openProject`. */
  trust?: boolean | undefined;
  /** The variables that placeholders such as `${TOKEN}` stand for; `process.env` unless given. */
  env?: { readonly [name: string]: string | undefined } | undefined;
  /** Of the tool that an agent gets; `code` unless given. */
  toolName?: string | undefined;
  /** A template for its description: `{{types}}`, `{{count}}` and `{{search}}` become the signatures, their number, and how to find a tool. */
  description?: string | undefined;
  /** What scripts may call, as in the configuration. */
  policy?: Partial<Policy> | undefined;
  /** A lockfile that keeps the own servers, so that a change of their tools is seen in review: `codemode.lock.json`. */
  lock?: string | undefined;
  /** Refuses own servers that are not as `lock` has them; with `project` all that `frozen` of an engine refuses. */
  frozen?: boolean | undefined;
  /** Where durable runs are kept without `project`: `"memory"` keeps them in this process, and they end with it; files of this account unless given. */
  runs?: "memory" | undefined;
  /** Keeps the words of errors of own tools from scripts. It is called with each error, and the id that the script gets in its place. */
  hideErrors?: ((error: unknown, errorId: string) => void) | undefined;
}
