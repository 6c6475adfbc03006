import { findContent } from "./content.ts";

/** A content block of MCP: `text`, `image`, `audio`, `resource` or `resource_link`. */
export interface ContentBlock {
  type: string;
  text?: string;
  /** Base64. */
  data?: string;
  mimeType?: string;
  [member: string]: unknown;
}

/**
 * The content blocks of a tool that also answered with structured content: pictures, for instance. `result` is what the binding returned, the
 * object itself and no copy. Empty where there were none, or only the same JSON as text.
 */
export function contentOf(result: unknown): ContentBlock[] {
  return findContent(result) as ContentBlock[];
}
