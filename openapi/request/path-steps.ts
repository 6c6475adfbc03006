import { type Json, isObject } from "../json.ts";
import { toText } from "./serialize-parameter.ts";

/*
 * Between this program and an API stand proxies and routers. Each of them may decode a path once more, take a backslash for a slash, cut off what
 * stands behind a semicolon, and then remove `..` with the step before it. What counts is the path that the last of them reads.
 */

/** Where some reader ends a step of a path. */
const BETWEEN_STEPS = /[/\\;?#]/;
/** Some readers drop these before they look at a step. */
const DROPPED = /[\p{Cc}\p{Cf}\p{Z}]/gu;
/** Longer than any tower of encodings that means something. */
const MAX_ROUNDS = 16;

/** Whether a path, or a value within one, has a step `.` or `..` for any reader: however often it is decoded. */
export function hasDotStep(path: string): boolean {
  let text = path;
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const steps = text.normalize("NFKC").replaceAll(DROPPED, "").split(BETWEEN_STEPS);
    if (steps.some((step) => step === "." || step === "..")) return true;
    const decoded = decode(text);
    if (decoded === text) return false;
    text = decoded;
  }
  // What is encoded more often is refused as it is.
  return true;
}

/** Whether a value for a path, or a part of it, is such a step: a style may write it beside others in one step. */
export function hasDotValue(value: Json): boolean {
  if (Array.isArray(value)) return value.some((item) => hasDotValue(item));
  if (!isObject(value)) return hasDotStep(toText(value));
  return Object.entries(value).some(([name, item]) => hasDotStep(name) || (item !== undefined && hasDotValue(item)));
}

/** Decodes once, as a lenient reader does: a run of bytes that is no UTF-8 stays, but for the long forms of `.`, `/` and `\`. */
function decode(text: string): string {
  return text
    .replaceAll(/%u00([\da-f]{2})/gi, "%$1")
    .replaceAll(/%(?:c0|e0%80)%(2e|2f|5c|ae|af|9c|dc)|%c1%(9c|dc)|%e0%81%(9c)/gi, toShortForm)
    .replaceAll(/(?:%[\da-f]{2})+/gi, decodeRun);
}

/** The low six bits of a long form are the character, and one bit of the byte before it. */
function toShortForm(long: string): string {
  const last = Number.parseInt(long.slice(-2), 16) & 0x3f;
  return String.fromCharCode(/c1|e0%81/i.test(long) ? last | 0x40 : last);
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replaceAll(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
