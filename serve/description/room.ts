import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";

/** How long a text may be, or is; of a limit both hold. */
export interface Room {
  chars: number;
  tokens: number;
}

/** What a text takes. */
export function costOf(text: string): Room {
  return { chars: text.length, tokens: estimateTokens(text) };
}

/** What is left of a room. */
export function without(room: Room, cost: Room): Room {
  return { chars: room.chars - cost.chars, tokens: room.tokens - cost.tokens };
}

export function fitsRoom(cost: Room, room: Room): boolean {
  return cost.chars <= room.chars && cost.tokens <= room.tokens;
}
