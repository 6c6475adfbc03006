/**
 * A queue that is fair per key: each key has a line of its own, in the order in which its items came, and the lines take turns. So an
 * item never waits for all the items of another key.
 */
export interface FairQueue<Item> {
  /** Of all lines together. */
  readonly size: number;
  add(key: string, item: Item): void;
  /** Takes out the item whose turn it is. The key that was served last waits until each other line was served. */
  take(): Item | undefined;
  /** Takes out an item wherever it stands; false where it is not there. */
  remove(key: string, item: Item): boolean;
  /** How many items of one key wait. */
  countOf(key: string): number;
  /** The longest line, and of those the oldest: its key, its length and its last item. */
  longest(): { key: string; length: number; last: Item } | undefined;
}

/** Makes an empty queue. */
export function makeFairQueue<Item>(): FairQueue<Item> {
  // A map keeps the order of insertion: the first line is the next to be served, and goes to the end then.
  const lines = new Map<string, Item[]>();
  let size = 0;
  let lastServed: string | undefined;

  return {
    get size() {
      return size;
    },
    add(key, item) {
      const line = lines.get(key);
      if (line === undefined) lines.set(key, [item]);
      else line.push(item);
      size += 1;
    },
    take() {
      const [first, second] = lines;
      const next = first?.[0] === lastServed ? (second ?? first) : first;
      if (next === undefined) return undefined;
      const [key, line] = next;
      const item = line.shift();
      lines.delete(key);
      if (line.length > 0) lines.set(key, line);
      lastServed = key;
      size -= 1;
      return item;
    },
    remove(key, item) {
      const line = lines.get(key) ?? [];
      const index = line.indexOf(item);
      if (index === -1) return false;
      line.splice(index, 1);
      if (line.length === 0) lines.delete(key);
      size -= 1;
      return true;
    },
    countOf: (key) => lines.get(key)?.length ?? 0,
    longest() {
      const [longest] = [...lines].toSorted(([, left], [, right]) => right.length - left.length);
      if (longest === undefined) return undefined;
      const [key, line] = longest;
      return { key, length: line.length, last: line.at(-1) as Item };
    },
  };
}
