import type { Bridge } from "../../../../schemas/run/bridge.ts";
import { askBridge } from "../ask-bridge.ts";
import { toText } from "../to-text.ts";

type Pair = [name: string, value: string];

/** The query of a URL object: replaced when the URL changes, and telling the URL when it changes itself. */
export interface LinkedParams {
  params: object;
  replace(query: string): void;
}

export interface UrlSearchParamsEndowment {
  URLSearchParams: new (init?: unknown) => object;
  /** Makes the parameters of a URL; `onChange` gets the printed query. */
  makeLinked(query: string, onChange: (query: string) => void): LinkedParams;
}

/** The pairs behind the parameters, which scripts do not reach. Queries are parsed and printed by the URL standard's own rules, in the main realm. */
class Query {
  readonly #bridge: Bridge;
  pairs: Pair[];
  onChange: (query: string) => void = () => {};

  constructor(bridge: Bridge, init: unknown) {
    this.#bridge = bridge;
    this.pairs = typeof init === "object" && init !== null ? toPairs(init) : this.#parse(String(init));
  }

  /** Takes the place of all pairs, without word of a change. */
  replace(query: string): void {
    this.pairs = this.#parse(query);
  }

  change(pairs: Pair[]): void {
    this.pairs = pairs;
    this.onChange(this.print());
  }

  /** Replaces the first pair of this name and removes the others. */
  set(name: unknown, value: unknown): void {
    const pair: Pair = [String(name), String(value)];
    const first = this.pairs.findIndex((one) => isMatch(one, name));
    if (first < 0) return this.change([...this.pairs, pair]);
    const others = this.pairs.filter((one, index) => index <= first || !isMatch(one, name));
    this.change(others.with(first, pair));
  }

  print(): string {
    return askBridge(this.#bridge.formatQuery, JSON.stringify(this.pairs)) ?? "";
  }

  #parse(query: string): Pair[] {
    return JSON.parse(askBridge(this.#bridge.parseQuery, query) ?? "[]") as Pair[];
  }
}

/** Makes the class `URLSearchParams`. */
export function makeUrlSearchParams(bridge: Bridge): UrlSearchParamsEndowment {
  let makeLinked: UrlSearchParamsEndowment["makeLinked"];

  class URLSearchParams {
    readonly #query: Query;

    static {
      makeLinked = (query, onChange) => {
        const params = new URLSearchParams(query);
        params.#query.onChange = onChange;
        return { params, replace: (changed) => params.#query.replace(changed) };
      };
    }

    constructor(init: unknown = "") {
      this.#query = new Query(bridge, typeof init === "object" ? init : withoutQuestionMark(String(init)));
    }

    get size(): number {
      return this.#query.pairs.length;
    }

    append(name: unknown, value: unknown): void {
      this.#query.change([...this.#query.pairs, [String(name), String(value)]]);
    }

    delete(name: unknown, value?: unknown): void {
      this.#query.change(this.#query.pairs.filter((pair) => !isMatch(pair, name, value)));
    }

    get(name: unknown): string | null {
      return this.#query.pairs.find((pair) => isMatch(pair, name))?.[1] ?? null;
    }

    getAll(name: unknown): string[] {
      return this.#query.pairs.filter((pair) => isMatch(pair, name)).map(([, value]) => value);
    }

    has(name: unknown, value?: unknown): boolean {
      return this.#query.pairs.some((pair) => isMatch(pair, name, value));
    }

    set(name: unknown, value: unknown): void {
      this.#query.set(name, value);
    }

    sort(): void {
      this.#query.change(this.#query.pairs.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
    }

    forEach(callback: (value: string, name: string, params: object) => void, thisArg?: unknown): void {
      for (const [name, value] of this.#query.pairs) Reflect.apply(callback, thisArg, [value, name, this]);
    }

    *entries(): Generator<Pair> {
      for (const [name, value] of this.#query.pairs) yield [name, value];
    }

    *keys(): Generator<string> {
      for (const [name] of this.#query.pairs) yield name;
    }

    *values(): Generator<string> {
      for (const [, value] of this.#query.pairs) yield value;
    }

    [Symbol.iterator](): Generator<Pair> {
      return this.entries();
    }

    toString(): string {
      return this.#query.print();
    }

    get [Symbol.toStringTag](): string {
      return "URLSearchParams";
    }
  }
  return { URLSearchParams, makeLinked };
}

function toPairs(init: object): Pair[] {
  if (Symbol.iterator in init) {
    return [...(init as Iterable<Iterable<unknown>>)].map((item) => {
      const pair = [...item];
      if (pair.length !== 2) throw new TypeError("Each query pair must be an iterable [name, value]");
      return [String(pair[0]), String(pair[1])];
    });
  }
  return Object.entries(init).map(([name, value]) => [name, String(value)]);
}

/** `value` undefined matches any. */
function isMatch(pair: Pair, name: unknown, value?: unknown): boolean {
  return pair[0] === String(name) && (value === undefined || pair[1] === toText(value));
}

function withoutQuestionMark(query: string): string {
  return query.startsWith("?") ? query.slice(1) : query;
}
