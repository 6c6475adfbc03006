/*
 * The line between the two realms of a sandbox process: the main realm, where Node is, and the guest realm, where scripts run.
 * Only strings, numbers and booleans cross it. An object that crossed would carry its realm's `Function` with it. The only
 * exceptions are the guest's own: functions that its programs come to, and rejected promises with their reasons, which Node hands to the
 * main realm. It passes them back untouched.
 */

/** What the main realm does for the guest realm. `undefined` means that it could not; no error of the main realm is ever thrown across. */
export interface Bridge {
  /** Sends a frame to the host, its header and its body, and returns when it is written: what was logged survives a kill. */
  send(header: string, body?: string): void;
  /** Calls `Realm.fireTimer` with this id once, after so many milliseconds. */
  startTimer(id: number, delayMs: number): void;
  stopTimer(id: number): void;
  /** Makes UTC the time zone of this process. */
  useUtc(): void;
  /** Parses a URL: the JSON text of a `UrlParts`. */
  parseUrl(url: string, base: string | undefined): string | undefined;
  /** Sets one part of a URL by the URL standard's rules: the JSON text of the new `UrlParts`. */
  changeUrl(url: string, part: string, value: string): string | undefined;
  /** Parses a query: the JSON text of its list of name and value pairs. */
  parseQuery(query: string): string | undefined;
  /** Prints a list of name and value pairs, given as JSON text, as a query. */
  formatQuery(pairs: string): string | undefined;
  /** What Base64 text stands for, one character for each byte. */
  decodeBase64(text: string): string | undefined;
  /** Prints bytes, one per character, as Base64. */
  encodeBase64(bytes: string): string | undefined;
  /** The standard's name of a text encoding. */
  findEncoding(label: string): string | undefined;
  /** Decodes bytes, one per character of `bytes`. A stream keeps its state under `id` until a call with `stream` false. */
  decodeText(id: number, encoding: string, options: string, bytes: string, stream: boolean): string | undefined;
  /** How many bytes a text takes in UTF-8. */
  utf8Length(text: string): number;
  /** Discards the streams of a finished script and restarts the ids. */
  forgetStreams(): void;
}

/** What the main realm tells the guest realm. None of these throws. */
export interface Realm {
  /** A frame of the host. */
  receive(frame: string): void;
  fireTimer(id: number): void;
  /** A promise was rejected and is not handled yet. */
  rejected(promise: unknown, reason: unknown): void;
  /** A promise that was reported before has been handled after all. */
  handled(promise: unknown): void;
  /** An error got out of every handler. */
  uncaught(error: unknown): void;
  /** Nothing is left to do in this turn: time to see whether the script has ended. */
  settle(): Settled;
}

/** `again` asks for another look after the next turn. `spent` means that nothing of the script can run again, and the next run gets another realm. */
export type Settled = "again" | "resting" | "spent";

/**
 * Makes the runtime of the bindings for one script, as a bundle would: `dist/sandbox/runtime.js`. It reads nothing of the global object
 * but what the language has and, when a tool is called, `__codemode_call__`.
 */
export type MakeRuntime = (scope: object, math: Math) => object;

/**
 * @param makeRuntime a function of the guest realm, which the main realm passes on
 * @param isFirst whether no script has run in this process
 */
export type StartRealm = (bridge: Bridge, makeRuntime: MakeRuntime, isFirst: boolean) => Realm;

/** The parts of a URL that can be changed. */
export const URL_PARTS = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

export type UrlParts = { [Part in (typeof URL_PARTS)[number]]: string } & { origin: string };
