import { type ChangedCall, changes, findContent } from "./content.ts";

export type { ChangedCall } from "./content.ts";
export type { SentChange } from "./reply.ts";

/** A content block of MCP: `text`, `image`, `audio`, `resource` or `resource_link`. */
export interface ContentBlock {
  type: string;
  text?: string;
  /** Base64. */
  data?: string;
  mimeType?: string;
  /** Of a link to a resource; `name` is its name. */
  uri?: string;
  name?: string;
  title?: string;
  description?: string;
  /** Of an embedded resource: its text, or its bytes as Base64. */
  resource?: { uri: string; mimeType?: string; text?: string; blob?: string };
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A result of `tools/call` that is neither structured content nor a single text (specification 5.3.2). */
export interface McpResult {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

declare const shape: unique symbol;

/** A string with the JSON text of a `T`: `JSON.parse` of it has that type. It is a plain string wherever one is expected. */
export type JsonText<T> = string & { readonly [shape]?: T };

type Exactly<T, Expected> = [T] extends [Expected] ? ([Expected] extends [T] ? true : false) : false;

/* oxlint-disable typescript/no-explicit-any -- As the language has it: what a text holds is `any`. */
declare global {
  interface JSON {
    /** The value inside of a text whose shape is known. */
    parse<T = any>(text: JsonText<T> & { readonly [shape]?: T }, reviver?: undefined): T;
    /** What a tool returned of whose results nothing is known: most of them return JSON text. */
    parse<T>(
      text: T & (Exactly<T, string | McpResult> extends true ? unknown : never),
      reviver?: (this: any, key: string, value: any) => any,
    ): any;
  }
}
/* oxlint-enable typescript/no-explicit-any */

/**
 * The content blocks of a tool that also answered with structured content: pictures, for instance. `result` is what the binding returned, the
 * object itself and no copy. Empty where there were none, or only the same JSON as text.
 */
export function contentOf(result: unknown): ContentBlock[] {
  return findContent(result) as ContentBlock[];
}

/**
 * The calls of this run that a person has changed (`policy.askEach`), in the order of their answers: each was made with another input, or has a
 * person's result in the place of the tool's. Empty where there are none.
 */
export function changedCalls(): ChangedCall[] {
  return [...changes];
}
