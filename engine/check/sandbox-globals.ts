/** What the sandbox has beside the language (`docs/sandbox.md`), as declarations for the type checker. */
export const SANDBOX_GLOBALS = `
interface SandboxConsole {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  trace(...values: unknown[]): void;
  dir(...values: unknown[]): void;
  table(...values: unknown[]): void;
  group(...values: unknown[]): void;
  groupCollapsed(...values: unknown[]): void;
  groupEnd(): void;
  assert(condition?: unknown, ...values: unknown[]): void;
}
declare var console: SandboxConsole;

declare function setTimeout(callback: (...values: any[]) => unknown, delayMs?: number, ...values: any[]): number;
declare function clearTimeout(id: number | undefined): void;

interface URL {
  readonly origin: string;
  readonly searchParams: URLSearchParams;
  href: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  toString(): string;
  toJSON(): string;
}
declare var URL: {
  prototype: URL;
  new (url: string | URL, base?: string | URL): URL;
  canParse(url: string | URL, base?: string | URL): boolean;
  parse(url: string | URL, base?: string | URL): URL | null;
};

interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, thisArg?: unknown): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
declare var URLSearchParams: {
  prototype: URLSearchParams;
  new (init?: string | URLSearchParams | Record<string, string> | Iterable<readonly [string, string]>): URLSearchParams;
};

interface TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}
declare var TextEncoder: { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
declare var TextDecoder: {
  prototype: TextDecoder;
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

declare function atob(text: string): string;
declare function btoa(bytes: string): string;
declare function structuredClone<Value>(value: Value, options?: { transfer?: Iterable<ArrayBuffer> }): Value;
declare function queueMicrotask(callback: () => void): void;

declare var performance: {
  readonly timeOrigin: number;
  now(): number;
  toJSON(): { timeOrigin: number };
};

declare var crypto: {
  getRandomValues<View extends ArrayBufferView>(view: View): View;
  randomUUID(): string;
};

interface DOMException extends Error {
  readonly name: string;
  readonly message: string;
  readonly code: number;
}
declare var DOMException: {
  prototype: DOMException;
  new (message?: string, options?: string | { name?: string; cause?: unknown }): DOMException;
};

interface Event {
  readonly type: string;
  readonly target: EventTarget | null;
  readonly currentTarget: EventTarget | null;
  readonly eventPhase: number;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly defaultPrevented: boolean;
  readonly isTrusted: boolean;
  readonly timeStamp: number;
  composedPath(): EventTarget[];
  preventDefault(): void;
  stopPropagation(): void;
  stopImmediatePropagation(): void;
}
declare var Event: {
  prototype: Event;
  new (type: string, init?: { bubbles?: boolean; cancelable?: boolean; composed?: boolean }): Event;
};

type EventListenerOrObject = ((event: Event) => void) | { handleEvent(event: Event): void };
interface EventTarget {
  addEventListener(
    type: string,
    listener: EventListenerOrObject | null,
    options?: boolean | { capture?: boolean; once?: boolean; passive?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrObject | null,
    options?: boolean | { capture?: boolean },
  ): void;
  dispatchEvent(event: Event): boolean;
}
declare var EventTarget: { prototype: EventTarget; new (): EventTarget };

interface AbortSignal extends EventTarget {
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: Event) => void) | null;
  throwIfAborted(): void;
}
declare var AbortSignal: {
  prototype: AbortSignal;
  abort(reason?: unknown): AbortSignal;
  any(signals: Iterable<AbortSignal>): AbortSignal;
  timeout(delayMs: number): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare var AbortController: { prototype: AbortController; new (): AbortController };

/** Set to the result of the run. */
declare var __codemode_result__: any;
/** The input of the run; \`null\` without one. */
declare var __codemode_input__: any;
/** This run: its idempotency key, the same for every try of the same work. */
declare var __codemode_run__: { readonly key: string };
`;
