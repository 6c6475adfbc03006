import { ConnectionError, type ConnectionErrorFields, type ConnectionErrorKind } from "./connection-error.ts";
import { toPlainLine, toPlainText } from "./plain-text.ts";
import { makeRedactor } from "./redact-secrets.ts";
import { type ServerTarget } from "./server-target.ts";
import { type ProcessExit, type StartFailure } from "./server-process.ts";

const STDERR_SHOWN_CHARACTERS = 8 * 1024;
const QUOTED_CHARACTERS = 300;

/** Far more than is quoted, so that a value cut here is never in view. */
const READ_CHARACTERS = 64 * 1024;

export type ConnectionFailures = ReturnType<typeof makeConnectionFailures>;

/** All the errors of one server, one factory each, so that none forgets its hint or to mask what it quotes. */
export function makeConnectionFailures(target: ServerTarget) {
  const redact = makeRedactor({ ...target.secrets, ...target.env });
  const quote = (text: string) => toPlainLine(redact(text.slice(0, READ_CHARACTERS)), QUOTED_CHARACTERS);
  const seconds = (milliseconds: number) => `${milliseconds / 1000} s`;

  function failure(
    kind: ConnectionErrorKind,
    text: string,
    fields: Omit<ConnectionErrorFields, "serverName">,
  ): ConnectionError {
    return new ConnectionError(kind, `server "${target.name}" ${text}`, { serverName: target.name, ...fields });
  }

  /** The tail of stderr as a field, and its last line as the end of the message. */
  function showStderr(raw: string): { stderr?: string; lastLine: string } {
    const stderr = toPlainText(redact(raw)).trim().slice(-STDERR_SHOWN_CHARACTERS);
    const lastLine = quote(stderr.slice(stderr.lastIndexOf("\n") + 1));
    return lastLine === "" ? { lastLine } : { stderr, lastLine: `: ${lastLine}` };
  }

  return {
    notStarted(reason: StartFailure["reason"]): ConnectionError {
      const command = quote(target.command);
      switch (reason) {
        case "command-not-found":
          return failure(reason, `cannot be started: no command "${command}" was found`, {
            hint: `install "${command}" or write its full path as "command"`,
          });
        case "no-such-folder":
          return failure("start-failed", "cannot be started: its working folder does not exist", {
            hint: `create the folder or correct "cwd" of server "${target.name}"`,
          });
        case "not-executable":
          return failure("start-failed", `cannot be started: "${command}" is not executable`, {
            hint: `make it executable or start it through its interpreter, for instance with "node" as "command"`,
          });
        case "refused":
          return failure("start-failed", `cannot be started: the system refused to run "${command}"`, {
            hint: `check "command", "args" and "env" of server "${target.name}"`,
          });
      }
    },

    endedAtStart(exit: ProcessExit | undefined, rawStderr: string): ConnectionError {
      const { lastLine, ...shown } = showStderr(rawStderr);
      return failure("start-failed", `${describeExit(exit)} before it was ready${lastLine}`, {
        ...toExitFields(exit),
        ...shown,
        hint: "run its command by itself to see what it needs",
      });
    },

    startTimedOut(timeoutMs: number, rawStderr: string): ConnectionError {
      const { lastLine, ...shown } = showStderr(rawStderr);
      return failure("timeout", `was not ready within ${seconds(timeoutMs)}${lastLine}`, {
        ...shown,
        hint: `raise "timeoutMs" of server "${target.name}", or run its command by itself to see what it waits for`,
      });
    },

    timedOut(action: string, timeoutMs: number): ConnectionError {
      return failure("timeout", `did not answer ${quote(action)} within ${seconds(timeoutMs)}`, {
        hint: `raise "timeoutMs" of server "${target.name}", or ask it for less`,
      });
    },

    cancelled(action: string): ConnectionError {
      return failure("cancelled", `was told to give up ${quote(action)}`, {
        hint: "start it again if it is still wanted",
      });
    },

    protocol(problem: string): ConnectionError {
      return failure("protocol", `does not follow MCP: ${quote(problem)}`, {
        hint: "update the server, or report this to its author",
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
        hint: "connect to it again; if it ends again, run its command by itself to see why",
      });
    },

    tooLarge(byteLength: number, limitBytes: number): ConnectionError {
      return failure("too-large", `sent a message of ${byteLength} bytes, the limit is ${limitBytes}`, {
        hint: "ask the tool for less at a time",
      });
    },

    rpcError(action: string, code: number, message: string): ConnectionError {
      return failure("rpc-error", `refused ${quote(action)} with error ${code}: ${quote(message)}`, {
        code,
        hint: "check the name and the input of what was asked",
      });
    },
  };
}

function describeExit(exit: ProcessExit | undefined): string {
  if (exit === undefined) return "closed its output";
  return exit.signal === null ? `exited with code ${exit.code}` : `was ended by ${exit.signal}`;
}

function toExitFields(exit: ProcessExit | undefined): { exitCode?: number; exitSignal?: string } {
  if (exit === undefined) return {};
  return exit.signal === null ? { exitCode: exit.code ?? 0 } : { exitSignal: exit.signal };
}
