// Stands in front of every program, in Node and in the sandbox: prints what a program computes, so that all that a program can tell apart is seen.

/** The value as text that keeps apart what JSON drops or changes. */
export function show(value, outer = []) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "function":
      return `function ${showName(value)}`;
    case "object":
      return value === null ? "null" : showObject(value, outer);
    default:
      return String(value);
  }
}

/** What a function throws, as text. */
export function thrown(act) {
  try {
    return `no error: ${show(act())}`;
  } catch (error) {
    return showThrown(error);
  }
}

function showThrown(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${show(error)}`;
}

function showName({ name }) {
  return typeof name === "string" ? name : show(name);
}

function showObject(value, outer) {
  if (outer.includes(value)) return "(circle)";
  const inner = [...outer, value];
  if (value instanceof Error) return `[${showThrown(value)}]`;
  if (value instanceof Date) return `Date ${Number.isNaN(value.getTime()) ? "invalid" : value.toISOString()}`;
  if (value instanceof RegExp) return `${value}`;
  if (value instanceof Map) return `Map ${show([...value], inner)}`;
  if (value instanceof Set) return `Set ${show([...value], inner)}`;
  const prototype = Object.getPrototypeOf(value);
  const className = prototype === null ? "null" : showName(prototype.constructor ?? { name: "?" });
  const members = Reflect.ownKeys(value)
    .filter((key) => !(Array.isArray(value) && key === "length"))
    .map((key) => showMember(value, key, inner));
  const length = Array.isArray(value) ? `(${value.length})` : "";
  return `${className === "Object" ? "" : className}${length}{${members.join(", ")}}`;
}

function showMember(object, key, outer) {
  const { value, get, set, enumerable } = Object.getOwnPropertyDescriptor(object, key);
  const accessor = [get && "get", set && "set"].filter(Boolean).join("/");
  return `${enumerable ? "" : "hidden "}${String(key)}: ${accessor === "" ? show(value, outer) : accessor}`;
}
