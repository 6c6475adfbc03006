import { toIdentifier } from "../lock/names.ts";

/** A name for a type, from an export name or the name of a definition: `create_entities` becomes `CreateEntities`. */
export function toTypeName(name: string): string {
  const joined = name
    .split(/[_$]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return toIdentifier(joined);
}

/** Takes `base`, or the first of `base` + 2, 3, … that is still free. */
export function claimName(base: string, taken: Set<string>): string {
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
  taken.add(name);
  return name;
}
