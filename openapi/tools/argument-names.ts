/** The signs that APIs tell arguments apart by, such as `DateSent<` and `DateSent>`. */
const WORDS: Readonly<Record<string, string>> = {
  "<=": "lte",
  ">=": "gte",
  "!=": "ne",
  "<>": "ne",
  "<": "lt",
  ">": "gt",
  "!": "not",
  "=": "eq",
  "~": "like",
  "+": "plus",
  "*": "any",
};

/** A name of an argument: clients take only letters, digits, `_`, `.` and `-`. A sign with a meaning is a word. */
export function toArgumentName(name: string): string {
  const spoken = name.replaceAll(/[<>!]=|<>|[<>!=~+*]/g, (sign, at: number) => {
    const before = at === 0 ? "" : "_";
    const after = /^[A-Za-z0-9]/.test(name.slice(at + sign.length)) ? "_" : "";
    return `${before}${WORDS[sign] ?? ""}${after}`;
  });
  const plain = spoken.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 64);
  return plain === "" || plain === "__proto__" ? "value" : plain;
}

/** What the name of an argument is made of: its name in the request, and where it stands there. */
export interface WireName {
  name: string;
  place: string;
}

/**
 * A name for each argument, in their order. What the path needs comes first, then what keeps its name. One whose name is taken by another
 * place gets its own place before it, as `query_id`; one of the same place a number.
 */
export function nameArguments<Named extends WireName>(all: readonly Named[]): Map<Named, string> {
  const rank = ({ name, place }: WireName): number => (place === "path" ? 0 : toArgumentName(name) === name ? 1 : 2);
  const owners = new Map<string, WireName>();
  const found = new Map<Named, string>();
  for (const one of all.toSorted((a, b) => rank(a) - rank(b))) {
    const plain = toArgumentName(one.name);
    const owner = owners.get(plain);
    const isOfOther = owner !== undefined && owner.place !== one.place;
    const base = isOfOther ? `${one.place}_${plain}`.slice(0, 64) : plain;
    let name = base;
    for (let number = 2; owners.has(name); number += 1) name = `${base.slice(0, 60)}_${number}`;
    owners.set(name, one);
    found.set(one, name);
  }
  return new Map(all.map((one) => [one, found.get(one) ?? ""]));
}
