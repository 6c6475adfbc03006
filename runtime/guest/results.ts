declare const shape: unique symbol;

/** A string with the JSON text of a `T`: `JSON.parse` of it has that type. It is a plain string wherever one is expected. */
export type JsonText<T> = string & { readonly [shape]?: T };

/** A content block of an MCP result; its `type` says which other members it has. */
export interface McpContentBlock {
  readonly type: string;
  /** Of `text` blocks. */
  readonly text?: string;
  /** Of `image` and `audio` blocks, in Base64. */
  readonly data?: string;
  readonly mimeType?: string;
  /** Of `resource_link` blocks. */
  readonly uri?: string;
  /** Of `resource` blocks. */
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
  readonly [member: string]: unknown;
}

/** A result of `tools/call` that is neither structured content nor a single text (specification 5.3.2). */
export interface McpResult {
  readonly content: readonly McpContentBlock[];
  readonly isError?: boolean;
  readonly [member: string]: unknown;
}

declare global {
  interface JSON {
    /** The value inside of a text whose shape is known. */
    parse<T>(text: JsonText<T> & { readonly [shape]?: T }, reviver?: undefined): T;
  }
}
