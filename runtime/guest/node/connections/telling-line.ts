/** The line of a program's last words that says most of why it ended; empty where it said nothing. */
export function tellingLine(lastWords: string): string {
  const lines = lastWords.split("\n").filter((line) => line.trim() !== "" && !NPM_ASIDE.test(line));
  return npmReason(lines) ?? errorOfStack(lines) ?? lines.at(-1) ?? "";
}

/** What npm says of itself and its settings, before what it was called for; that it installs a package (`npm warn exec`) is no such thing. */
const NPM_ASIDE = /^npm (?:notice|(?:warn|WARN) (?!exec ))/;

const NPM_ERROR = /^npm (?:error|ERR!) ?(.*)$/;

/** The codes, and where the log is: npm says the reason between them. */
const NPM_FRAME = /^(?:code|errno|syscall|path) |^404\s*$|^\s*$|A complete log of this run|^Log files were not written/;

function npmReason(lines: readonly string[]): string | undefined {
  const said = lines.flatMap((line) => NPM_ERROR.exec(line)?.[1] ?? []);
  const reason = said.find((text) => !NPM_FRAME.test(text)) ?? said[0];
  return reason === undefined ? undefined : `npm error ${reason}`;
}

const ERROR = /^(?:Uncaught )?[A-Z]\w*(?:Error|Exception)\b.*: ?\S/;

/** What runtimes print behind the error that ended them: frames, braces of its members, their version. */
const BEHIND_ERROR = /^\s+at |^\s|^[{}\])]|^Node\.js v\d/;

/** An error only where nothing was said after its stack. */
function errorOfStack(lines: readonly string[]): string | undefined {
  const index = lines.findLastIndex((line) => ERROR.test(line));
  return index >= 0 && lines.slice(index + 1).every((line) => BEHIND_ERROR.test(line)) ? lines[index] : undefined;
}
