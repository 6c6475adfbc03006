/** How long to wait, in milliseconds: `Retry-After` is in seconds, or a date (RFC 9110, section 10.2.3). Undefined where it is neither. */
export function readRetryAfter(header: unknown): number | undefined {
  const text = String(header);
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1_000;
  // What is no date can be one for `Date.parse`, such as "-1".
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
