import type { RunAnswer } from "../../../schemas/run/answer.ts";
import { handleRead } from "../../../runtime/sandbox/pool/handle-call.ts";
import type { Recording } from "../../../schemas/run/recording.ts";
import { recordBundle } from "../../../extras/record/record-bundle.ts";
import { replayRecording, type Replay, type ReplayOptions } from "../../../extras/record/replay-recording.ts";
import { type ScriptOptions, TEST_LIMITS, toBundle } from "../../sandbox/realm/run-script.ts";

export interface RecordOptions extends ScriptOptions {
  redact?: string[];
}

/** Records JavaScript in a real sandbox. By default calls are answered with their input. */
export async function recordScript(
  source: string,
  { pool, limits, input, signal, redact = [], answerCall }: RecordOptions,
): Promise<{ answer: RunAnswer; recording: Recording }> {
  const { answer, recording } = await recordBundle(
    toBundle(source),
    {
      pool,
      limits: { ...TEST_LIMITS, ...limits },
      handleCall: handleRead(async (call) => answerCall?.(call, call.signal) ?? { ok: true, value: call.input }),
      ...(input !== undefined && { input }),
      ...(signal !== undefined && { signal }),
    },
    { redact, script: "script.ts", servers: {} },
  );
  if (recording === undefined) throw new Error("too large");
  return { answer, recording };
}

/** Replays what a file would hold; with a source, that in the place of the recorded script. */
export function replayScript(recording: Recording, options: ReplayOptions, source?: string): Promise<Replay> {
  const reread = JSON.parse(JSON.stringify(recording)) as Recording;
  const changed =
    source === undefined
      ? {}
      : { changed: { bundle: toBundle(source), subject: { script: "script.ts", servers: {} } } };
  return replayRecording(reread, { ...options, ...changed });
}

/** Lines of a script that calls a tool by its names with an input. */
export const CALL = `
  const call = async (name, input = null) => {
    const reply = JSON.parse(await __codemode_call__("server", name, JSON.stringify(input)));
    if (!reply.ok) throw Object.assign(new Error(reply.error.message), { name: reply.error.errorClass });
    return reply.value;
  };
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;
