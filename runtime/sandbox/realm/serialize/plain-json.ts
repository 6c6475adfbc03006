/**
 * Whether `JSON.stringify` prints a value as `printResult` would, and in about this many characters at most: plain objects, arrays and
 * scalars, without a `toJSON`, nested no deeper than this. Then the engine's own printer can be used, which is ten times faster.
 */
export function isPlainJson(value: unknown, maxCharacters: number, maxDepth: number): boolean {
  let room = maxCharacters;

  const isPlain = (part: unknown, depth: number): boolean => {
    switch (typeof part) {
      case "string":
        room -= part.length;
        return room >= 0;
      case "number":
      case "boolean":
      case "undefined":
        room -= 1;
        return room >= 0;
      case "object":
        break;
      default:
        return false;
    }
    room -= 2;
    if (part === null) return room >= 0;
    // A cycle gets too deep, and what is shared many times too long.
    if (depth > maxDepth || room < 0) return false;
    return Array.isArray(part) ? isPlainArray(part, depth) : isPlainRecord(part, depth);
  };

  const isPlainArray = (items: unknown[], depth: number): boolean => {
    const { length } = items;
    for (let index = 0; index < length; index += 1) {
      if (!isPlain(items[index], depth + 1)) return false;
    }
    return true;
  };

  const isPlainRecord = (record: object, depth: number): boolean => {
    const prototype: unknown = Object.getPrototypeOf(record);
    if (prototype !== Object.prototype && prototype !== null) return false;
    const keys = Object.keys(record);
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string;
      room -= key.length;
      if (key === "toJSON" || !isPlain((record as Record<string, unknown>)[key], depth + 1)) return false;
    }
    return true;
  };

  return isPlain(value, 0);
}
