/** The line of a program's last words that says most of why it ended; empty where it said nothing. */
export function tellingLine(lastWords: string): string {
  const lines = lastWords.split("\n").filter((line) => line.trim() !== "" && !NPM_ASIDE.test(line));
  return npmReason(lines) ?? errorOfStack(lines) ?? lastReason(lines) ?? "";
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

const ERROR = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*: ?\S/;

/** What runtimes print behind the error that ended them: frames, braces of its members, their version. */
const BEHIND_ERROR = /^\s+at |^\s|^[{}\])]|^Node\.js v\d/;

/** An error only where nothing was said after its stack. */
function errorOfStack(lines: readonly string[]): string | undefined {
  const index = lines.findLastIndex((line) => ERROR.test(line));
  return index >= 0 && lines.slice(index + 1).every((line) => BEHIND_ERROR.test(line)) ? lines[index] : undefined;
}

/** What says nothing of the reason: versions, frames, signs alone, and where help is. */
const ASIDE =
  /^Node\.js v\d|^\s+at |^[^\p{L}\p{N}]*$|^\s*-{1,2}\w|^\s*(?:usage|options|commands):|--help\b|^for more (?:information|help)/iu;

const REASON =
  /error|exception|fatal|cannot|can't|could ?n[o']t|unable|denied|refused|missing|not found|no such|required|invalid|must |fail/i;

/** So far back a reason may stand before advice. */
const MOST_LINES = 8;

/** The last words without asides and members of an object that was printed; where they are advice, from the reason before them on. */
function lastReason(lines: readonly string[]): string | undefined {
  const afterStack = lines.slice(lines.findLastIndex((line) => /^\s+at /.test(line)) + 1);
  const words = afterStack.every((line) => ASIDE.test(line)) ? lines : afterStack;
  const closing = words.findLastIndex((line) => /^[}\])]/.test(line));
  const isMember = (line: string, at: number): boolean => at < closing && /^\s/.test(line);
  const spoken = words.filter((line, at) => !ASIDE.test(line) && !isMember(line, at)).slice(-MOST_LINES);
  const last = spoken.at(-1);
  if (last === undefined) return words.at(-1);
  const first = REASON.test(last) ? spoken.length - 1 : spoken.findIndex((line) => REASON.test(line));
  const from = first < 0 ? spoken.length - 1 : first;
  return spoken
    .slice(from)
    .map((line) => line.replace(/[ {[(]+$/, "").trim())
    .join(" ");
}
