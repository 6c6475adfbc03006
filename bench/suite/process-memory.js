import { readdirSync, readFileSync } from "node:fs";

/** A process and its descendants, by program: how many there are, and the megabytes that belong to them alone (PSS). Linux only. */
export function measureProcesses(pid) {
  return listDescendants(pid).flatMap((id) => {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0").join(" ");
      const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
      const megabytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]) / 1024;
      const unshared = megabytes("Private_Clean") + megabytes("Private_Dirty");
      return [{ id, command, rss: megabytes("Rss"), pss: megabytes("Pss"), unshared }];
    } catch {
      return [];
    }
  });
}

/** A process and its descendants, by number. Linux only. */
export function listDescendants(pid) {
  const parents = new Map(readdirSync("/proc").filter(isNumber).flatMap(readParent));
  const below = (id) => [id, ...[...parents].filter(([, parent]) => parent === id).flatMap(([child]) => below(child))];
  return below(pid);
}

const isNumber = (name) => /^\d+$/.test(name);

function readParent(name) {
  try {
    return [[Number(name), Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1).split(" ")[1])]];
  } catch {
    return [];
  }
}
