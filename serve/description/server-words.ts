import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { splitWords, toStem } from "../../engine/search-tools.ts";
import { costOf, fitsRoom, type Room, without } from "./room.ts";
import { serversInOrder } from "../servers-in-order.ts";

/** Letters of a word that a person would type; anything else in a name is left out. */
const PLAIN_WORD = /^[a-z]{3,16}$/;

/** Words that the names of many servers' tools have: they say nothing of what one is for. */
const EMPTY_WORDS = new Set(
  "add all and api by create data delete execute for from get list make mcp new remove run set the tool tools update use with".split(
    " ",
  ),
);

/**
 * What the tools of a server are about: the words that most of their names have, the most frequent first. Only plain words leave a name,
 * which a server writes.
 */
function wordsOfServer({ id, tools }: LockedServer, count: number): string[] {
  const ofServer = new Set(splitWords(id).map((word) => word.toLowerCase()));
  const frequencies = new Map<string, number>();
  const forms = new Map<string, string>();
  for (const { name } of tools) {
    for (const part of new Set(splitWords(name).map((written) => written.toLowerCase()))) {
      if (!PLAIN_WORD.test(part) || EMPTY_WORDS.has(part) || ofServer.has(part)) continue;
      const stem = toStem(part) ?? part;
      const word = forms.get(stem) ?? part;
      forms.set(stem, word);
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
  }
  // The sort is stable: of equal ones those of the first tools come first.
  const sorted = [...frequencies].toSorted(([, left], [, right]) => right - left);
  return sorted.slice(0, count).map(([word]) => word);
}

/** Names servers with words of their tools in a bounded length, for what clients search before they show a tool. */
export function printSearchHint(lockfile: Lockfile): string {
  const servers = serversInOrder(lockfile);
  const texts = servers.map((server) => [server.id, ...wordsOfServer(server, WORDS_OF_HINT)].join(" "));
  return fitting([texts, servers.map(({ id }) => id)], LONGEST_HINT).join(", ");
}

const LONGEST_HINT: Room = { chars: 200, tokens: 60 };
const WORDS_OF_HINT = 4;

const LONGEST_USE: Room = { chars: 300, tokens: 90 };
const WORDS_OF_USE = 3;

/** Says by servers what the tools are good for, in one line of bounded length; nothing where there are none. */
export function printUse(lockfile: Lockfile): string {
  const servers = serversInOrder(lockfile).filter(({ tools }) => tools.length > 0);
  if (servers.length === 0) return "";
  const full = servers.map((server) => {
    const { id, tools } = server;
    const words = wordsOfServer(server, WORDS_OF_USE).join(", ");
    const count = `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`;
    return `${id} (${count}${words === "" ? "" : `: ${words}`})`;
  });
  const counted = servers.map(({ id, tools }) => `${id} (${tools.length})`);
  const shown = fitting([full, counted, servers.map(({ id }) => id)], LONGEST_USE);
  const rest = servers.length - shown.length;
  return `Use this for: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more servers` : ""}.`;
}

/** The first of several forms that fits whole; as much as fits of the last one where none does. */
function fitting(forms: readonly (readonly string[])[], longest: Room): readonly string[] {
  const whole = forms.find((texts) => fitsRoom(costOf(texts.join(", ")), longest));
  if (whole !== undefined) return whole;
  let left = longest;
  return (forms.at(-1) ?? []).filter((text) => {
    left = without(left, costOf(`${text}, `));
    return left.chars >= 0 && left.tokens >= 0;
  });
}
