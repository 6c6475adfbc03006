import type { Step } from "../../schemas/run/durable-run.ts";
import type { RecordedEnding } from "../../schemas/run/recording.ts";
import { toRecordedEnding } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { Player } from "../../runtime/sandbox/pool/player.ts";
import { takeRandomWords } from "../../runtime/sandbox/pool/random-words.ts";

/** The most that is kept of one run: characters of inputs and replies, and steps. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
const MAX_STEPS = 2_000_000;

/** Lets a run happen in real time, and keeps in memory what its script does and hears. */
export function makeRecorder() {
  const steps: Step[] = [];
  const starts: number[] = [];
  let characters = 0;
  let ending: RecordedEnding = "broken";
  const isTooLarge = (): boolean => characters > MAX_CHARACTERS || steps.length > MAX_STEPS;
  const keep = (step: Step, text: string): void => {
    characters += text.length;
    if (!isTooLarge()) steps.push(step);
  };
  const timekeeper = new Player({
    start: { timeMs: Date.now(), seed: takeRandomWords(4) },
    after: "live",
    onCall({ serverId, toolName, inputJson }, timeMs) {
      const call = starts.push(timeMs);
      keep({ kind: "call", call, serverId, toolName, inputJson, timeMs }, inputJson);
    },
    keep(heard) {
      for (const one of heard) {
        if ("timer" in one) keep({ kind: "fire", ...one }, "");
        else keep({ kind: "reply", ...one, durationMs: one.timeMs - (starts[one.call - 1] ?? 0) }, one.replyJson);
      }
    },
    onEnd: (reached) => void (ending = toRecordedEnding(reached)),
  });
  return {
    timekeeper,
    steps,
    ending: () => ending,
    /** Whether there was more than can be kept: then the recording is of no use. */
    isTooLarge,
  };
}
