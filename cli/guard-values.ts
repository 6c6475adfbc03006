import { optionInvalid } from "../schemas/errors.ts";

/**
 * The argument parser turns `08` into 8, drops a lone `-` and takes a missing value for `true`. A NUL, which no real argument
 * can hold, keeps values as they are: this puts it in front of them, `unguard` takes it away.
 */
const GUARD = "\0";

/** Guards the values of the options in `valued` (with dashes, `--out`) and all positional arguments but the command. */
export function guardValues(argv: readonly string[], valued: ReadonlySet<string>): string[] {
  const guarded: string[] = [];
  let isCommandSeen = false;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (word === "--") return [...guarded, word, ...argv.slice(at + 1)];
    const [flag = word, ...rest] = word.split("=");
    if (valued.has(flag)) {
      const value = rest.length > 0 ? rest.join("=") : argv[(at += 1)];
      if (value === undefined) throw optionInvalid(flag, "it needs a value");
      guarded.push(`${flag}=${GUARD}${value}`);
    } else if (word.startsWith("-") && word !== "-") {
      guarded.push(word);
    } else {
      guarded.push(isCommandSeen ? GUARD + word : word);
      isCommandSeen = true;
    }
  }
  return guarded;
}

/** Takes the guard off a parsed value. */
export function unguard(value: unknown): string {
  const text = String(value);
  return text.startsWith(GUARD) ? text.slice(GUARD.length) : text;
}
