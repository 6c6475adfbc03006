// What the checker answers to an editor about a place in a script.

export interface CompletionList {
  /** Start of the text that an item replaces. */
  from: number;
  /** True if any text is valid here, so that no list is awaited. */
  isAnything: boolean;
  items: CompletionItem[];
}

export interface CompletionItem {
  label: string;
  kind: "constant" | "function" | "keyword" | "module" | "property" | "text" | "tool" | "type" | "variable";
  /** Its type, or the server of a tool. */
  detail?: string;
  /** What its author says of it. */
  info?: string;
  /** Smaller comes first. */
  rank: number;
  /** The module that it has to be imported from. */
  importFrom?: string;
}

/** What is known of the word at a place. */
export interface WordView {
  from: number;
  to: number;
  /** Its declaration in TypeScript. */
  signature: string;
  info: string;
}
