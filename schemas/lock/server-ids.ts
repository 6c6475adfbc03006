/** Names that Windows keeps for devices, in any case and with any extension: no file and no folder there can have one. */
export const DEVICE_NAMES: ReadonlySet<string> = new Set([
  ...["con", "prn", "aux", "nul", "conin$", "conout$"],
  ...Array.from({ length: 10 }, (_, digit) => [`com${digit}`, `lpt${digit}`]).flat(),
]);

/**
 * Maps server names to ids, one for one, in the order given (specification 5.0.1).
 * The first of equal ids keeps the clean one, later ones get `--2`, `--3` and so on. A name of a device is taken on
 * every platform: the id is the server's folder in the generated package, which is the same everywhere.
 */
export function assignServerIds(names: readonly string[]): string[] {
  const taken = new Set(DEVICE_NAMES);
  return names.map((name) => claimServerId(toServerId(name), "--", taken));
}

/** The module path segment of a server name, before collisions are resolved. */
export function toServerId(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "");
  return id === "" ? "server" : id;
}

/** Takes `base`, or the first of `base` + separator + 2, 3, … that is still free. */
export function claimServerId(base: string, separator: string, taken: Set<string>): string {
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}${separator}${count}`;
  taken.add(name);
  return name;
}
