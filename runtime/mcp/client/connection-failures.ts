import { isPassingStatus } from "../../bindings/call-failure.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { maskTexts } from "../../../schemas/secrets/mask-json.ts";
import { type ChunkMask, makeValueMask } from "../../../schemas/secrets/mask-values.ts";
import { ConnectionError, type ConnectionErrorFields, type ConnectionErrorKind } from "./connection-error.ts";
import { toPlainLine, toPlainText } from "./plain-text.ts";
import { hintForRefusal, listVersions } from "./refusal-hint.ts";
import { listSecrets, type ServerTarget } from "./server-target.ts";
import type { ProcessExit, StartFailure } from "./stdio/server-process.ts";
import { RpcError } from "./wire/json-rpc.ts";

const OUTPUT_SHOWN_CHARACTERS = 8 * 1024;
const QUOTED_CHARACTERS = 300;

/** Of what a server printed between messages. */
const PRINTED_LINES = 3;
const PRINTED_CHARACTERS = 150;

/** Far more than is quoted, so that a value cut here is never in view. */
const READ_CHARACTERS = 64 * 1024;

export type ConnectionFailures = ReturnType<typeof makeConnectionFailures>;

/**
 * All the errors of one server, one factory each, so that none forgets its hint or to mask what it quotes.
 * @param maskOthers masks what is secret beside the server's own values
 */
export function makeConnectionFailures(target: ServerTarget, maskOthers = (text: string): string => text) {
  const { name: serverName, transport } = target;
  const secrets = listSecrets(target);
  const learned: Record<string, string> = {};
  let own = makeValueMask(secrets);
  let ofLearned = makeValueMask(learned);
  const redact = (text: string) => maskOthers(own.text(text));
  const quote = (text: string) => toPlainLine(redact(text.slice(0, READ_CHARACTERS)), QUOTED_CHARACTERS);
  const words: Words = {
    name: serverName,
    isProcess: transport === "stdio",
    quote,
    maskData: (data) => maskTexts(data, redact),
    failure: (kind, text, fields) =>
      new ConnectionError(kind, `server "${serverName}" ${text}`, { serverName, ...fields }),
    showStderr(raw) {
      const stderr = toPlainText(redact(raw)).trim().slice(-OUTPUT_SHOWN_CHARACTERS);
      const lastLine = quote(findReasonLine(stderr));
      return lastLine === "" ? { lastLine } : { stderr, lastLine: `: ${lastLine}` };
    },
    showPrinted(raw) {
      const text = toPlainText(redact(raw)).slice(-OUTPUT_SHOWN_CHARACTERS);
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      const last = lines.slice(-PRINTED_LINES).map((line) => toPlainLine(line, PRINTED_CHARACTERS));
      const said = quote(last.join(" / "));
      return said === "" ? "" : `; the server printed: ${said}`;
    },
  };
  return {
    /** From now on this value is masked, too. */
    learnSecret(name: string, value: string): void {
      if (learned[name] === value) return;
      learned[name] = value;
      own = makeValueMask({ ...secrets, ...learned });
      ofLearned = makeValueMask(learned);
    },

    /** Masks the server's own values in a text that comes in chunks. */
    maskChunks: (): ChunkMask => own.chunks(),

    /** Masks the values that were learned, in a text of any length. */
    maskLearned: (text: string): string => ofLearned.text(text),

    ...startFailures(words),
    ...callFailures(words),
    ...httpFailures(words),
  };
}

/** What the messages of one server are made with. */
interface Words {
  name: string;
  isProcess: boolean;
  /** One line of the server's, masked. */
  quote(text: string): string;
  maskData(data: JsonValue): JsonValue;
  failure(kind: ConnectionErrorKind, text: string, fields: Omit<ConnectionErrorFields, "serverName">): ConnectionError;
  /** The tail of stderr as a field, and its most telling line as the end of the message. */
  showStderr(raw: string): { stderr?: string; lastLine: string };
  /** The last lines on standard output that are no messages, as the end of the message. */
  showPrinted(raw: string): string;
}

/** What a process said before it was ready, raw. */
export interface LastWords {
  stderr: string;
  /** What it printed to standard output, where messages are expected. */
  printed: string;
}

function startFailures({ name, isProcess, quote, failure, showStderr, showPrinted }: Words) {
  return {
    notStarted(reason: StartFailure["reason"], rawCommand: string): ConnectionError {
      const command = quote(rawCommand);
      switch (reason) {
        case "command-not-found":
          return failure(reason, `cannot be started: no command "${command}" was found`, {
            hint: `Install "${command}" or write its full path as "command".`,
          });
        case "no-such-folder":
          return failure("start-failed", "cannot be started: its working folder does not exist", {
            hint: `Create the folder or correct "cwd" of server "${name}".`,
          });
        case "not-executable":
          return failure("start-failed", `cannot be started: "${command}" is not executable`, {
            hint: `Make it executable or start it through its interpreter, for instance with "node" as "command".`,
          });
        case "no-free-file":
          return failure("start-failed", "cannot be started: too many files are open", {
            hint: "Raise the limit of this process (`ulimit -n`), then run the same command again.",
          });
        case "refused":
          return failure("start-failed", `cannot be started: the system refused to run "${command}"`, {
            hint: `Check "command", "args" and "env" of server "${name}".`,
          });
      }
    },

    endedAtStart(exit: ProcessExit | undefined, { stderr: rawStderr, printed }: LastWords): ConnectionError {
      const { lastLine, ...shown } = showStderr(rawStderr);
      return failure("start-failed", `${describeExit(exit)} before it was ready${lastLine}${showPrinted(printed)}`, {
        ...toExitFields(exit),
        ...shown,
        hint: /npm error 404/.test(rawStderr)
          ? "Check the name and the version of its npm package."
          : "Run its command by itself to see what it needs.",
      });
    },

    startTimedOut(timeoutMs: number, { stderr: rawStderr, printed }: LastWords): ConnectionError {
      const { lastLine, ...shown } = showStderr(rawStderr);
      const otherwise = isProcess ? "run its command by itself to see what it waits for" : `check "url"`;
      return failure("timeout", `was not ready within ${seconds(timeoutMs)}${lastLine}${showPrinted(printed)}`, {
        ...shown,
        limit: timeoutMs,
        hint: `Raise "timeoutMs" of server "${name}", or ${otherwise}.`,
      });
    },
  };
}

function callFailures({ name, isProcess, quote, maskData, failure }: Words) {
  return {
    timedOut(action: string, timeoutMs: number): ConnectionError {
      return failure("timeout", `did not answer ${quote(action)} within ${seconds(timeoutMs)}`, {
        limit: timeoutMs,
        hint: `Raise "timeoutMs" of server "${name}", or ask it for less.`,
      });
    },

    cancelled(action: string): ConnectionError {
      return failure("cancelled", `was asked to cancel ${quote(action)}`, {
        hint: "Start it again if it is still wanted.",
      });
    },

    protocol(problem: string): ConnectionError {
      return failure("protocol", `does not follow MCP: ${quote(problem)}`, {
        said: quote(problem),
        hint: "Update the server, or report this to its author.",
      });
    },

    closed(reason: "exit" | "input-ended" | "output-ended" | "closed-by-us", exit?: ProcessExit): ConnectionError {
      const text = {
        exit: describeExit(exit),
        "input-ended": "closed its input",
        "output-ended": "closed its output",
        "closed-by-us": "has been disconnected",
      }[reason];
      return failure("closed", text, {
        ...toExitFields(exit),
        hint: isProcess
          ? "Connect to it again; if it ends again, run its command by itself to see why."
          : "Connect to it again.",
      });
    },

    tooLarge(byteLength: number, limitBytes: number): ConnectionError {
      return failure("too-large", `sent a message of ${byteLength} bytes, the limit is ${limitBytes}`, {
        limit: limitBytes,
        hint: "Ask the tool for less at a time.",
      });
    },

    rpcError(
      action: string,
      { code, message, data }: { code: number; message: string; data?: JsonValue | undefined },
      facts: HttpFacts = {},
    ): ConnectionError {
      const isSmall = data !== undefined && JSON.stringify(data).length <= MAX_DATA_LENGTH;
      return failure("rpc-error", `refused ${quote(action)} with error ${code}: ${quote(message)}`, {
        code,
        ...withoutUndefined({
          status: facts.status,
          retryAfterMs: facts.retryAfterMs,
          data: isSmall ? maskData(data) : undefined,
        }),
        hint: hintForRefusal({ action, code, message, versions: isSmall ? quote(listVersions(data)) : "" }),
      });
    },

    /** In the middle of a call the server asks for something that only other clients can give. */
    clientLacks(method: string): ConnectionError {
      const what = quote(method);
      return failure("rpc-error", `asks its client for what scripts cannot give (${what})`, {
        hint: `This tool needs a client that answers ${what}; it cannot be used from scripts.`,
      });
    },
  };
}

function httpFailures({ name, quote, failure }: Words) {
  return {
    unreachable(reason: string): ConnectionError {
      return failure("unreachable", `cannot be reached: ${quote(reason)}`, {
        hint: `Check "url" of server "${name}" and the network.`,
      });
    },

    interrupted(): ConnectionError {
      return failure("interrupted", "broke off the exchange before its answer was through", {
        hint: "Try again, unless doing it twice does harm.",
      });
    },

    unauthorized(): ConnectionError {
      return failure("unauthorized", "wants a login (HTTP 401)", {
        status: 401,
        hint: `Run \`codemode login ${name}\`, or check "headers" of the server.`,
      });
    },

    loginFailed(reason: string): ConnectionError {
      return failure("unauthorized", `could not be logged in to: ${quote(reason)}`, {
        hint:
          hintForResource(reason, quote) ??
          "Try again; where it goes on, ask who runs the server how its clients are registered.",
      });
    },

    forbidden(missingScope?: string): ConnectionError {
      const wanted = missingScope === undefined ? "" : `; it wants the scope ${quote(missingScope)}`;
      return failure("forbidden", `refuses access (HTTP 403)${wanted}`, {
        status: 403,
        hint: `Check the rights of the account, or run \`codemode login ${name}\` again.`,
      });
    },

    httpError(action: string, body: string, facts: HttpFacts & { status: number }): ConnectionError {
      const { status, location } = facts;
      const said = quote(body);
      const target = location === undefined ? "" : ` to ${quote(location)}`;
      return failure(
        "http-error",
        `answered ${quote(action)} with HTTP ${status}${target}${said === "" ? "" : `: ${said}`}`,
        {
          ...withoutUndefined({
            status,
            retryAfterMs: facts.retryAfterMs,
            // A page says nothing in a line.
            said: said === "" || said.startsWith("<") ? undefined : said,
          }),
          hint: hintForStatus(status, location === undefined ? undefined : quote(location)),
        },
      );
    },

    sessionLost(): ConnectionError {
      return failure("session-lost", "has forgotten the session", { hint: "Connect to it again." });
    },
  };
}

/** What an HTTP response says beside its body. */
export interface HttpFacts {
  status?: number;
  retryAfterMs?: number;
  /** Where it leads. */
  location?: string;
}

/** Details of an error that are longer stay out of it. */
const MAX_DATA_LENGTH = 64 * 1024;

/** A server whose resource is its address but for a slash at its end (RFC 9728, section 3.3). */
function hintForResource(reason: string, quote: (text: string) => string): string | undefined {
  const [, resource = "", url = ""] =
    /resource (\S{1,500}) does not match expected (\S{1,500})/i.exec(reason.slice(0, 2_000)) ?? [];
  const isSame = resource !== "" && resource !== url && resource.replace(/\/$/, "") === url.replace(/\/$/, "");
  return isSame
    ? `Write "url" of the server as it names itself, with the same slash at the end: ${quote(resource)}`
    : undefined;
}

function hintForStatus(status: number, location: string | undefined): string {
  if (location !== undefined) return `If you trust ${location}, write it as "url" of the server.`;
  if (isPassingStatus(status)) return "Try again later, or ask who runs the server.";
  return `Check "url" and "type" of the server.`;
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

function describeExit(exit: ProcessExit | undefined): string {
  if (exit === undefined) return "closed its output";
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
}

function toExitFields(exit: ProcessExit | undefined): { exitCode?: number; exitSignal?: string } {
  if (exit === undefined) return {};
  return exit.signal === null ? { exitCode: exit.code ?? 0 } : { exitSignal: exit.signal };
}

/** The line of a program's last words that says most of why it ended; empty where it said nothing. */
export function findReasonLine(lastWords: string): string {
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
    .map((line) => line.replace(/(?<![ {[(])[ {[(]+$/, "").trim())
    .join(" ");
}

/** What the failure of a request means. */
export function toConnectionError(
  error: unknown,
  action: string,
  { signal }: { signal?: AbortSignal | undefined },
  transport: { explainFailure?(error: unknown, action: string): ConnectionError | undefined },
  failures: ConnectionFailures,
): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (signal?.aborted === true) return failures.cancelled(action);
  if (error instanceof RpcError) return failures.rpcError(action, error);
  return (
    transport.explainFailure?.(error, action) ??
    failures.protocol(error instanceof Error ? error.message : String(error))
  );
}
