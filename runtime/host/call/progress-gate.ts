import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { CallProgress } from "@codemode/runtime/connections/server-connection";
import type { OnCallSign } from "../../../schemas/run/events.ts";
import { toShownText } from "../questions/shown-text.ts";

const MAX_LENGTH = 200;
/** Of one call: so many reports at once, and so many a second from there on. */
const MAX_BURST = 20;
const PER_SECOND = 10;

/** Passes on what a call reports of its progress: only what increases, as MCP demands, and no flood. */
export function makeProgressGate(
  onSign: OnCallSign,
  now = performance.now.bind(performance),
): (report: CallProgress) => void {
  let last = -Infinity;
  let tokens = MAX_BURST;
  let filledAt = now();
  return ({ progress, total, message }) => {
    const at = now();
    tokens = Math.min(MAX_BURST, tokens + ((at - filledAt) / 1000) * PER_SECOND);
    filledAt = at;
    if (tokens < 1 || !Number.isFinite(progress) || progress <= last) return;
    tokens -= 1;
    last = progress;
    onSign({
      kind: "progress",
      progress,
      ...withoutUndefined({
        total: typeof total === "number" && Number.isFinite(total) ? total : undefined,
        message: typeof message === "string" && message !== "" ? toShownText(message, MAX_LENGTH) : undefined,
      }),
    });
  };
}
