import { readStreamText } from "../engine/files.ts";
import { openProject as open, type Project, type Script } from "../library/index.ts";
import { optionInvalid } from "../schemas/errors.ts";
import type { CommandContext, Invocation } from "./command.ts";

/** Opens the project that `--cwd` and `--config` name. */
export function openProjectHere({ cwd, configFile, isTrusted, signal }: CommandContext): Promise<Project> {
  return open({ cwd, config: configFile, trust: isTrusted, signal });
}

/**
 * The script that the first argument or `--eval` names; `-` is standard input.
 * @throws CodemodeError where there is neither
 */
export async function readScriptArgument({ args, options }: Invocation, command: string): Promise<Script> {
  const [word] = args;
  const code = options.text("eval");
  if (code !== undefined) return { code };
  if (word === undefined) {
    throw optionInvalid(command, "name a script or its file, - for standard input, or --eval");
  }
  return readWord(word);
}

/** The script that a word names: a file, a name of the configuration, or `-` for standard input. */
export async function readWord(word: string): Promise<Script> {
  return word === "-" ? { code: await readStreamText(process.stdin, "standard input") } : { file: word };
}
