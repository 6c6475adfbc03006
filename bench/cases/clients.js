import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { makeTable } from "../suite/tables.js";

const PROGRAM = fileURLToPath(new URL("../serve-clients.js", import.meta.url));
const CLIENTS = 50;
const MEGABYTE = 1024 * 1024;

const LOAD_COLUMNS = [
  { key: "runs", head: "runs answered", unit: "" },
  { key: "perSecond", head: "a second", unit: "/s" },
  { key: "median", head: "median ms", unit: "ms" },
  { key: "waitMs", head: "mean waiting ms", unit: "ms" },
  { key: "workMs", head: "mean work ms", unit: "ms" },
  { key: "refused", head: "refused", unit: "" },
  { key: "cancelled", head: "cancelled", unit: "" },
  { key: "started", head: "runs started", unit: "" },
  { key: "cpuMs", head: "CPU ms a started run", unit: "ms" },
];
const LOAD_NOTE =
  "A client's time is waiting, for one of four turns and over HTTP, and work, from the turn to the answer. Every seventh run is cancelled by its client: runs that had their turn by then have started a sandbox, and count as started runs, not as answered ones. The processor time belongs to the whole server: refused requests and new connections are in it.";
const MEMORY_COLUMNS = [
  { key: "residentBefore", head: "before", unit: "MB" },
  { key: "residentPeak", head: "most", unit: "MB" },
  { key: "residentAfter", head: "after", unit: "MB" },
  { key: "perMinute", head: "growth a minute", unit: "MB" },
  { key: "liveBefore", head: "in use before", unit: "MB" },
  { key: "liveAfter", head: "in use after", unit: "MB" },
];

/** What many clients at once leave in the host: `bench/serve-clients.js`, which checks every answer. */
export async function measureClients({ isQuick }) {
  const seconds = isQuick ? 15 : 120;
  const child = fork(PROGRAM, [String(seconds), String(CLIENTS)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const closed = once(child, "close");
  const [report] = await Promise.race([once(child, "message"), closed.then(() => [])]);
  await closed;
  if (report === undefined) throw new Error("bench/serve-clients.js ended without its numbers");
  const { problems, runs, perSecond, median, waitMs, workMs, refused, cancelled, started, cpuMs, ...bytes } = report;
  const name = `codemode serve, ${CLIENTS} clients`;
  const memory = Object.fromEntries(Object.entries(bytes).map(([key, value]) => [key, value / MEGABYTE]));
  const note = `The growth is measured over the second half of ${seconds} seconds. An hour: \`node bench/serve-clients.js 3600 ${CLIENTS}\`.`;
  return [
    makeTable(
      "clients.load",
      `${CLIENTS} clients over HTTP for ${seconds} seconds, 4 runs at a time`,
      LOAD_COLUMNS,
      [{ name, values: { runs, perSecond, median, waitMs, workMs, refused, cancelled, started, cpuMs } }],
      { note: LOAD_NOTE },
    ),
    makeTable(
      "clients.memory",
      "Memory of their host, resident and in use, in MB",
      MEMORY_COLUMNS,
      [{ name, values: memory }],
      {
        note: problems.length === 0 ? note : `${note} Not clean: ${problems.join("; ")}.`,
      },
    ),
  ];
}
