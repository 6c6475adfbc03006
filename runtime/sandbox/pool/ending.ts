import type { RunLimits } from "../../../schemas/run/answer.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { BigInts, ScriptError, Truncation } from "../../../schemas/run/protocol.ts";

/** How a run came to its end. */
export type Ending =
  | { kind: "result"; value: JsonValue; truncations: Truncation[]; bigInts?: BigInts | undefined; unawaited: string[] }
  | { kind: "failure"; errors: ScriptError[] }
  | { kind: "limit"; limit: keyof RunLimits }
  | { kind: "broken"; reason: string }
  /** The kernel took the process because the machine, or its container, had no memory left. */
  | { kind: "host-memory" }
  | { kind: "cancelled" }
  /** A replay came to something else than was recorded, which the one who replays can describe. */
  | { kind: "diverged" };
