/** What values at one place of a JSON text look like, all of them together. */
export interface ValueShape {
  scalars: Set<"boolean" | "null" | "number" | "string">;
  /** How many of the values are objects. */
  objects: number;
  members: Map<string, Member>;
  /** Whether objects have more members than are kept. */
  hasMore: boolean;
  /** How many of the values are lists. */
  lists: number;
  /** The length of the longest of them. */
  longest: number;
  items: ValueShape | undefined;
}

/** A member of objects. */
interface Member {
  shape: ValueShape;
  /** How many objects have it. */
  count: number;
}

const MOST_SHAPES = 400;
const MOST_MEMBERS = 50;
const LONGEST_KEY = 100;

/** Gathers the shape of a value while its text is read. Its size is bounded for any value. */
export interface ShapeGatherer {
  root: ValueShape;
  /** The place of a member; undefined where it is not kept. `keyText` is the key as JSON text. */
  memberOf(parent: ValueShape | undefined, keyText: string): ValueShape | undefined;
  itemOf(parent: ValueShape | undefined): ValueShape | undefined;
}

export function makeShapeGatherer(): ShapeGatherer {
  const root = emptyShape();
  let count = 1;
  const add = (): ValueShape | undefined => {
    if (count >= MOST_SHAPES) return undefined;
    count += 1;
    return emptyShape();
  };
  return {
    root,
    memberOf(parent, keyText) {
      if (parent === undefined) return undefined;
      const known = parent.members.get(keyText);
      if (known !== undefined) {
        known.count += 1;
        return known.shape;
      }
      const isKept = parent.members.size < MOST_MEMBERS && keyText.length <= LONGEST_KEY;
      const shape = isKept ? add() : undefined;
      if (shape === undefined) parent.hasMore = true;
      // A slice would keep the whole text in memory.
      else parent.members.set(Buffer.from(keyText).toString(), { shape, count: 1 });
      return shape;
    },
    itemOf(parent) {
      if (parent !== undefined) parent.items ??= add();
      return parent?.items;
    },
  };
}

function emptyShape(): ValueShape {
  return {
    ...{ scalars: new Set(), objects: 0, members: new Map(), hasMore: false },
    ...{ lists: 0, longest: 0, items: undefined },
  };
}
