import { INVISIBLE } from "../../../schemas/json/escape-invisible.ts";

/**
 * One line of a server's text for a person: nothing in it can begin a line, hide, or push the rest out of sight, and clients that show
 * Markdown or HTML find no markup in it.
 */
export function toShownText(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(INVISIBLE, " ")
    .replace(/[<>`]/g, (sign) => PLAIN[sign] as string)
    .replaceAll("](", "] (")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

const PLAIN: Readonly<Record<string, string>> = { "<": "‹", ">": "›", "`": "'" };
