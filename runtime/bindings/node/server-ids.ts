/** Ids that no server has, because Windows keeps them for devices. */
const DEVICE_NAMES = ["con", "prn", "aux", "nul"].concat(
  Array.from({ length: 10 }, (_, digit) => [`com${digit}`, `lpt${digit}`]).flat(),
);

/**
 * Maps server names to ids, one for one, in the order given (specification 5.0.1). It is what the generator does when it
 * names packages, repeated here because this package stands alone.
 */
export function assignServerIds(names: readonly string[]): string[] {
  const taken = new Set(DEVICE_NAMES);
  return names.map((name) => {
    const base = toServerId(name);
    let id = base;
    for (let count = 2; taken.has(id); count += 1) id = `${base}--${count}`;
    taken.add(id);
    return id;
  });
}

function toServerId(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  return id === "" ? "server" : id;
}
