const UNITS = ["bytes", "kB", "MB", "GB"] as const;

/** Bytes as people read them, in steps of a thousand: `640 bytes`, `1.2 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return "1 byte";
  let value = bytes;
  let unit = 0;
  // 999.95 would be printed as 1000.0.
  while (value >= (unit === 0 ? 1000 : 999.95) && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A whole number with a narrow gap between thousands: `12 345`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US").replaceAll(",", "\u00a0");
}

/** `1 call`, `2 calls`. */
export function formatNumberOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

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
