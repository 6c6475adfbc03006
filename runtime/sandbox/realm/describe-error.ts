import type { FailureKind, ScriptError } from "../../../schemas/run/protocol.ts";
import { printLogMessage } from "./serialize/print-log-value.ts";

const MAX_NAME = 200;
const MAX_MESSAGE = 8_000;
const MAX_STACK = 16_000;
/** Causes and members of an AggregateError that are named in the message. */
const MAX_CAUSES = 3;

/** Converts any value that a script threw to text. Never throws, even if code of the value does. */
export function describeError(kind: FailureKind, thrown: unknown): ScriptError {
  if (typeof thrown !== "object" || thrown === null) {
    const message = printLogMessage([thrown], MAX_MESSAGE);
    return { kind, name: "", message: message.slice(0, MAX_MESSAGE), stack: "", hint: "" };
  }
  const message = readText(thrown, "message", MAX_MESSAGE);
  const isNamed = message !== "" || readText(thrown, "stack", 1) !== "";
  return {
    kind,
    name: readText(thrown, "name", MAX_NAME),
    message: (isNamed ? message + describeCauses(thrown) : printLogMessage([thrown], MAX_MESSAGE)).slice(
      0,
      MAX_MESSAGE,
    ),
    stack: readText(thrown, "stack", MAX_STACK),
    hint: readText(thrown, "hint", MAX_NAME * 2),
  };
}

function describeCauses(error: object): string {
  const { cause, errors } = readCauses(error);
  const causes = [...(cause === undefined ? [] : [cause]), ...errors];
  const texts = causes.map((item) => `${readText(item, "name", MAX_NAME)}: ${readText(item, "message", MAX_NAME)}`);
  return texts.length === 0 ? "" : ` (caused by ${texts.join("; ")})`;
}

function readCauses(error: object): { cause: object | undefined; errors: object[] } {
  try {
    const { cause, errors } = error as { cause?: unknown; errors?: unknown };
    const members = Array.isArray(errors) ? (errors.slice(0, MAX_CAUSES) as unknown[]) : [];
    return { cause: isObject(cause) ? cause : undefined, errors: members.filter(isObject) };
  } catch {
    return { cause: undefined, errors: [] };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function readText(value: object, key: string, maxLength: number): string {
  try {
    const text = (value as Record<string, unknown>)[key];
    return typeof text === "string" ? text.slice(0, maxLength) : "";
  } catch {
    return "";
  }
}
