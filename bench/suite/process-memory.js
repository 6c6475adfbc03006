import { readdirSync, readFileSync } from "node:fs";

/** A process and its descendants: command line, and megabytes resident, proportional (PSS) and unshared. Linux only. */
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

/** Watches a process and its descendants; the function gives the most megabytes that one of them has had resident. Linux only. */
export function watchLargest(pid) {
  let largest = 0;
  const look = () => {
    for (const id of listDescendants(pid)) largest = Math.max(largest, readPeak(id));
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    return largest;
  };
}

/** The most that a process has had resident up to now; 0 where it has ended. */
function readPeak(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A process and its descendants, by number. Linux only. */
export function listDescendants(pid) {
  return [pid, ...listChildren(pid).flatMap(listDescendants)];
}

/** Each thread has the children that it started. */
function listChildren(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => readChildren(pid, thread));
  } catch {
    return [];
  }
}

function readChildren(pid, thread) {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
