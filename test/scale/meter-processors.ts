import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 200;
/** Programs that other teams run for many purposes: what they use is counted apart. */
const SERVICES = new Set(["postgres", "redis-server", "nats-server"]);

/** Processor time in seconds, user and system. */
export interface ProcessorSeconds {
  codemode: number;
  services: number;
}

interface ProcessTimes {
  id: number;
  parent: number;
  name: string;
  /** Tells processes of the same id apart. */
  startedAt: string;
  seconds: number;
}

/**
 * Counts the processor time of all that this process starts. It looks many times a second, because no process waits for the children of one that is killed:
 * the kernel adds their time to no sum.
 * @returns ends the counting
 */
export function meterProcessors(): () => ProcessorSeconds {
  const seen = new Map<string, ProcessTimes>();
  const before = new Set(listDescendants().map(keyOf));
  const look = (): void => {
    for (const process of listDescendants()) seen.set(keyOf(process), process);
  };
  const looking = setInterval(look, SAMPLE_MS);
  return () => {
    clearInterval(looking);
    look();
    const counted = [...seen].filter(([key, { name }]) => SERVICES.has(name) || !before.has(key));
    const sum = (isService: boolean): number =>
      counted
        .filter(([, { name }]) => SERVICES.has(name) === isService)
        .reduce((total, [, { seconds }]) => total + seconds, 0);
    return { codemode: sum(false), services: sum(true) };
  };
}

const keyOf = ({ id, startedAt }: ProcessTimes): string => `${id} ${startedAt}`;

function listDescendants(): ProcessTimes[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readTimes(Number(name)) ?? []) : []));
  const found: ProcessTimes[] = [];
  for (let parents = new Set([process.pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map(({ id }) => id));
  }
  return found;
}

/** Fields of proc_pid_stat(5): comm, ppid, utime, stime, starttime. */
function readTimes(id: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    return { id, parent: Number(fields[1]), name, startedAt: fields[19] ?? "", seconds };
  } catch {
    return undefined;
  }
}
