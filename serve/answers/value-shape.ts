import { toSourceLiteral } from "../../schemas/text/visible-text.ts";

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
export type ShapeGatherer = ReturnType<typeof makeShapeGatherer>;

export function makeShapeGatherer() {
  const root = emptyShape();
  let count = 1;
  const add = (): ValueShape | undefined => {
    if (count >= MOST_SHAPES) return undefined;
    count += 1;
    return emptyShape();
  };
  return {
    root,
    /** The place of a member; undefined where it is not kept. `keyText` is the key as JSON text. */
    memberOf(parent: ValueShape | undefined, keyText: string): ValueShape | undefined {
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
    itemOf(parent: ValueShape | undefined): ValueShape | undefined {
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

const LONGEST_SKETCH = 800;
const SKETCHED_MEMBERS = 12;
const SKETCHED_DEPTH = 4;

/** Prints a shape for a reader: like a type, with the lengths of lists, and bounded. */
export function printSketch(shape: ValueShape): string {
  const sketch = printShape(shape, 0);
  return sketch.length <= LONGEST_SKETCH ? sketch : `${sketch.slice(0, LONGEST_SKETCH - 1)}…`;
}

function printShape(shape: ValueShape | undefined, depth: number): string {
  if (shape === undefined) return "unknown";
  const alternatives = [
    ...[...shape.scalars].toSorted(),
    ...(shape.objects > 0 ? [printSketchedObject(shape, depth)] : []),
    ...(shape.lists > 0 ? [printSketchedList(shape, depth)] : []),
  ];
  return alternatives.length === 0 ? "unknown" : alternatives.join(" | ");
}

function printSketchedList({ items, longest, lists }: ValueShape, depth: number): string {
  const length = lists === 1 ? ` /* ${longest} items */` : "";
  return `${inParentheses(depth < SKETCHED_DEPTH ? printShape(items, depth + 1) : "…")}[]${length}`;
}

function printSketchedObject({ members, objects, hasMore }: ValueShape, depth: number): string {
  if (depth >= SKETCHED_DEPTH) return "{ … }";
  const shown = [...members].slice(0, SKETCHED_MEMBERS).map(([key, { shape, count }]) => {
    return `${toName(key)}${count < objects ? "?" : ""}: ${printShape(shape, depth + 1)}`;
  });
  const isCut = hasMore || members.size > SKETCHED_MEMBERS;
  return `{ ${[...shown, ...(isCut ? ["…"] : [])].join("; ")} }`.replace("{  }", "{}");
}

/**
 * Prints a shape as a TypeScript type for the checker. What is not the same everywhere is `any`: a script may know which value has which
 * form, and a correct one must not be refused.
 */
export function printType(shape: ValueShape | undefined): string {
  if (shape === undefined) return "any";
  const { scalars, objects, lists, items } = shape;
  const [scalar, ...others] = scalars;
  const kinds = scalars.size + (objects > 0 ? 1 : 0) + (lists > 0 ? 1 : 0);
  if (kinds !== 1 || others.length > 0 || scalar === "null") return "any";
  if (scalar !== undefined) return scalar;
  return objects > 0 ? printObjectType(shape) : `${inParentheses(printType(items))}[]`;
}

function printObjectType({ members, objects, hasMore }: ValueShape): string {
  const named = [...members].map(([key, { shape, count }]) =>
    count < objects ? `${toName(key)}?: any` : `${toName(key)}: ${printType(shape)}`,
  );
  return `{ ${[...named, ...(hasMore ? ["[key: string]: any"] : [])].join("; ")} }`;
}

function inParentheses(type: string): string {
  return type.includes(" | ") && !type.startsWith("{") ? `(${type})` : type;
}

/** A key stands in source code as it is where it is an identifier, and otherwise as a string whose characters can all be seen. */
function toName(keyText: string): string {
  let key = "";
  try {
    key = String(JSON.parse(keyText));
  } catch {
    // No JSON, which the next run says.
  }
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : toSourceLiteral(key);
}
