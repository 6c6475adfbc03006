// Lets many clients of both eras run scripts over HTTP at once: `node bench/serve-clients.js [SECONDS] [CLIENTS]`. It needs a build.
// Exit code 1 means a wrong answer, something of another client's run, memory that grew, or something that was left behind.
// A program that forks it gets the numbers as a message.
import { driveClient } from "./serve-clients/drive-client.js";
import { startServer } from "./serve-clients/start-server.js";
import { findSlope } from "./suite/slope.js";

const [seconds = 60, count = 50] = process.argv.slice(2).map(Number);

/**
 * What lives may grow by the cache of bundles (8 MiB) and the sessions of two minutes. Resident memory says nothing about that: V8 lets
 * garbage pile up to a multiple of what lives before it collects for the first time, so that is only held against a bound.
 */
const MAX_LIVE_GROWTH = 16 * 1024 * 1024;
const MAX_RESIDENT = 320 * 1024 * 1024;
const SAMPLES = 12;

/** Every tenth connection is of one hasty client, which is the only one to meet its rate limit. */
const nameOf = (index) => (index % 10 === 9 ? "hasty" : `client-${index}`);
const names = Array.from({ length: count }, (_, index) => nameOf(index));
const server = await startServer({
  // Fewer than there are clients, so that some are refused.
  queue: { maxRunning: 4, maxWaiting: Math.floor(count / 2) },
  rateLimit: { runsPerMinute: 60 },
  clients: Object.fromEntries(names.map((name) => [name, { token: `token-of-${name}` }])),
});

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const show = (label, { rss, connections, descriptors, children }) =>
  console.log(
    `${label.padEnd(14)} ${megabytes(rss)}, ${connections} connections, ${descriptors} other descriptors, ${children} children`,
  );

const tally = { times: [], refused: {}, cancelled: 0, tooLate: 0, wrong: [] };
const warmUp = { ...tally, times: [], refused: {}, wrong: tally.wrong };
const drive = (until, into) =>
  Promise.all(
    names.map((name, index) =>
      driveClient({ url: server.url, token: `token-of-${name}`, isLegacy: index % 2 === 0, until, tally: into }),
    ),
  );

// Servers are connected, code is compiled and buffers grow to their size.
await drive(Date.now() + 5000, warmUp);
await new Promise((resolve) => setTimeout(resolve, 1000));
const liveBefore = await server.measureLive();
const before = server.measure();
show("before", before);

server.takeRuns();
const cpuBefore = server.readProcessorTime();
const startedAt = Date.now();
const samples = [];
const sampler = setInterval(
  () => {
    samples.push({ minutes: (Date.now() - startedAt) / 60_000, ...server.measure() });
    show(`after ${Math.round((Date.now() - startedAt) / 1000)} s`, samples.at(-1));
  },
  (seconds * 1000) / SAMPLES,
);
await drive(startedAt + seconds * 1000, tally);
clearInterval(sampler);
const took = (Date.now() - startedAt) / 1000;
const cpuMs = server.readProcessorTime() - cpuBefore;

// Connections of clients that have gone are closed by then.
await new Promise((resolve) => setTimeout(resolve, 2000));
const after = server.measure();
show("clients gone", after);
// Runs that a client cancelled have started too, and cost a process; refused ones have not.
const started = server.takeRuns();
const liveAfter = await server.measureLive();
const code = await server.stop();

const times = tally.times.toSorted((one, other) => one - other);
const percentile = (share) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`;
/** What a client waits for, and what the run takes once it has its turn: the rest is the queue, and HTTP. */
const workMs = mean(started.filter(({ ok }) => ok).map(({ durationMs }) => durationMs));
const waitMs = mean(times) - workMs;
const cpuOfRun = cpuMs / started.length;
// In its first half the server still grows to its size.
const perMinute = findSlope(samples.slice(SAMPLES / 2).map(({ minutes, rss }) => [minutes, rss])) ?? 0;
console.table({
  "clients at once": count,
  "runs answered": `${times.length} (${(times.length / took).toFixed(1)} a second)`,
  "runs started": started.length,
  "half of them within": percentile(0.5),
  "95 % within": percentile(0.95),
  "refused, queue full": tally.refused.QUEUE_FULL ?? 0,
  "refused, rate limit": tally.refused.RATE_LIMITED ?? 0,
  cancelled: tally.cancelled,
  "waiting, on average": `${waitMs.toFixed(0)} ms`,
  "work, on average": `${workMs.toFixed(0)} ms`,
  "CPU of a started run": `${cpuOfRun.toFixed(1)} ms`,
  "resident after": megabytes(after.rss),
  "growth a minute, second half": megabytes(perMinute),
  "in use before": megabytes(liveBefore),
  "in use after": megabytes(liveAfter),
  "wrong answers": tally.wrong.length,
  "exit code of the server": code,
});
for (const wrong of tally.wrong.slice(0, 5)) console.log(JSON.stringify(wrong).slice(0, 2000));

const grown = liveAfter - liveBefore;
const highest = Math.max(...samples.map(({ rss }) => rss));
const problems = [
  tally.wrong.length > 0 && "wrong answers",
  times.length === 0 && "no answers",
  grown > MAX_LIVE_GROWTH && `what is in use grew by ${megabytes(grown)}`,
  highest > MAX_RESIDENT && `${megabytes(highest)} were resident`,
  after.descriptors > before.descriptors + 4 && "descriptors were left",
  after.children > before.children && "processes were left",
  code !== 0 && "the server did not end well",
].filter(Boolean);
if (problems.length > 0) console.log(`Not clean: ${problems.join("; ")}`);
process.send?.({
  runs: times.length,
  perSecond: times.length / took,
  ...{ started: started.length, cpuMs: cpuOfRun, median: times[times.length >> 1], waitMs, workMs },
  ...{ refused: Object.values(tally.refused).reduce((sum, count) => sum + count, 0), cancelled: tally.cancelled },
  ...{ residentBefore: before.rss, residentPeak: highest, residentAfter: after.rss, perMinute },
  ...{ liveBefore, liveAfter, problems },
});
process.exitCode = problems.length === 0 ? 0 : 1;
