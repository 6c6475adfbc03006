import { defined } from "../json.ts";
import { ProtocolError, ProtocolErrorCode, type Tool } from "@modelcontextprotocol/server";

/** The text of one page: far below what clients take as one message. */
const MAX_PAGE = 4 * 1024 * 1024;

/** One page of the tools; the cursor is the number of its first tool. */
export function pageTools(tools: readonly Tool[], cursor: string | undefined): { tools: Tool[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0 || start > tools.length) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "there is no page with this cursor");
  }
  let end = start;
  for (let room = MAX_PAGE; end < tools.length; end += 1) {
    room -= JSON.stringify(tools[end]).length;
    if (room < 0 && end > start) break;
  }
  return { tools: tools.slice(start, end), ...defined({ nextCursor: end < tools.length ? String(end) : undefined }) };
}
