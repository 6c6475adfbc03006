import { BUNDLE_URL } from "../../../../schemas/run/bundle.ts";
import { makeErrorReader } from "./read-error.ts";

/** The parts of V8's stack trace interface that are used here. */
interface V8Error extends ErrorConstructor {
  stackTraceLimit: number;
  captureStackTrace(target: object, above?: unknown): void;
  prepareStackTrace(error: unknown, callSites: CallSite[]): string;
}

interface CallSite {
  getScriptNameOrSourceURL(): string | null;
  getFunctionName(): string | null;
  isConstructor(): boolean;
  toString(): string;
}

const MAX_FRAMES = 50;

/**
 * Makes `error.stack` a string with the frames of the script and nothing else: frames of this program and of Node would name
 * files of the machine. A script can neither replace the printing nor see a call site, which would hand it functions.
 */
export function printStacks(feralError: ErrorConstructor, isProxy: (value: object) => boolean): void {
  const { toHeadline, classNames } = makeErrorReader(isProxy);
  const v8Error = feralError as V8Error;
  const { captureStackTrace } = v8Error;
  v8Error.stackTraceLimit = MAX_FRAMES;
  v8Error.prepareStackTrace = (error, callSites) =>
    toHeadline(error) + withoutConstructors(classNames(error), callSites.filter(isOfScript)).map(printFrame).join("");

  const shared = Error.prototype.constructor as V8Error;
  const methods = {
    captureStackTrace(target: object, above?: unknown): void {
      const carrier = { stack: "" };
      Reflect.apply(captureStackTrace, feralError, [
        carrier,
        typeof above === "function" ? above : methods.captureStackTrace,
      ]);
      const { stack } = carrier;
      const frames = stack.includes("\n") ? stack.slice(stack.indexOf("\n")) : "";
      const value = toHeadline(target) + frames;
      Object.defineProperty(target, "stack", { value, writable: true, enumerable: false, configurable: true });
    },
  };
  Object.defineProperty(shared, "captureStackTrace", {
    value: methods.captureStackTrace,
    writable: false,
    enumerable: false,
    configurable: true,
  });
}

function isOfScript(callSite: CallSite): boolean {
  return callSite.getScriptNameOrSourceURL() === BUNDLE_URL;
}

/** Leaves out the frames of the error's own class and its parents: where it was made is the line that says `new`. */
function withoutConstructors(names: ReadonlySet<unknown>, frames: CallSite[]): CallSite[] {
  const first = frames.findIndex((frame) => !(frame.isConstructor() && names.has(frame.getFunctionName())));
  return first < 0 ? frames : frames.slice(first);
}

function printFrame(callSite: CallSite): string {
  return `\n    at ${callSite.toString()}`;
}
