/** A span of time as people read it: `12 ms`, `1.25 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 9995) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A moment, in UTC: `2026-11-21 08:35:02 UTC`. */
export function formatMoment(sinceEpoch: number): string {
  const date = new Date(sinceEpoch);
  if (Number.isNaN(date.getTime())) return "unknown";
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
