import { URL_PARTS, type Bridge, type UrlParts } from "../../../../schemas/run/bridge.ts";
import { askBridge } from "../ask-bridge.ts";
import { toText } from "../to-text.ts";
import type { LinkedParams, UrlSearchParamsEndowment } from "./url-search-params.ts";

/** Makes the class `URL`: strings here, while the parsing is done by Node's own parser in the main realm. */
export function makeUrl(
  bridge: Bridge,
  { makeLinked }: UrlSearchParamsEndowment,
): new (url: unknown, base?: unknown) => object {
  const parse = (url: unknown, base: unknown): UrlParts | undefined => {
    const text = askBridge(bridge.parseUrl, String(url), base === undefined ? undefined : toText(base));
    return text === undefined ? undefined : (JSON.parse(text) as UrlParts);
  };

  class URL {
    #parts: UrlParts;
    #query: LinkedParams | undefined;

    static canParse(url: unknown, base?: unknown): boolean {
      return parse(url, base) !== undefined;
    }

    static parse(url: unknown, base?: unknown): URL | null {
      return URL.canParse(url, base) ? new URL(url, base) : null;
    }

    static {
      for (const part of URL_PARTS) {
        const { get, set } = Object.getOwnPropertyDescriptor(
          {
            get [part](): string {
              return (this as unknown as URL).#parts[part];
            },
            set [part](value: unknown) {
              (this as unknown as URL).#change(part, String(value));
            },
          },
          part,
        ) as Required<Pick<PropertyDescriptor, "get" | "set">>;
        Object.defineProperty(URL.prototype, part, { get, set, enumerable: true, configurable: true });
      }
    }

    constructor(url: unknown, base?: unknown) {
      const parts = parse(url, base);
      if (parts === undefined) {
        throw Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: String(url) });
      }
      this.#parts = parts;
    }

    get origin(): string {
      return this.#parts.origin;
    }

    get searchParams(): object {
      this.#query ??= makeLinked(this.#parts.search, (query) => this.#setPart("search", query));
      return this.#query.params;
    }

    toString(): string {
      return this.#parts.href;
    }

    toJSON(): string {
      return this.#parts.href;
    }

    get [Symbol.toStringTag](): string {
      return "URL";
    }

    #change(part: (typeof URL_PARTS)[number], value: string): void {
      this.#setPart(part, value);
      this.#query?.replace(this.#parts.search.slice(1));
    }

    #setPart(part: string, value: string): void {
      const text = askBridge(bridge.changeUrl, this.#parts.href, part, value);
      if (text === undefined) throw new TypeError("Invalid URL");
      this.#parts = JSON.parse(text) as UrlParts;
    }
  }
  return URL;
}
