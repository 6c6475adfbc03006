import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { toRecordedSteps } from "../../schemas/run/recorded-steps.ts";
import type { Recording } from "../../schemas/run/recording.ts";
import type { ToolReply } from "../../schemas/lock/tools.ts";
import { maskJson } from "../../schemas/secrets/mask-json.ts";
import { VERSION } from "../../schemas/version.ts";
import { DISCOVERY } from "../../runtime/sandbox/pool/host-subjects.ts";
import { runBundle, type SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import { refused } from "../../runtime/host/checks/refuse.ts";
import type { HandleCall, PrintedReply, ValueReply } from "../../runtime/sandbox/pool/handle-call.ts";
import { makeRecorder } from "./recorder.ts";
import { makeVault, type Vault } from "../../runtime/host/vault/vault.ts";

/** What a recording says of a run beside what happens in it. */
export type RecordingSubject = Pick<Recording, "redact" | "script" | "servers">;

/** A run and its recording. */
export interface RecordedRun {
  answer: RunAnswer;
  /** Undefined where more happened than a recording can hold. */
  recording: Recording | undefined;
}

/**
 * Runs a bundle as `runBundle` does, and records it.
 *
 * What is redacted is so before the script sees it: the script has placeholders in its hands, and the values are put back into what it
 * sends to tools. So nothing that a script makes of a secret can give it away, and a replay works on the very same values.
 */
export async function recordBundle(
  bundle: Bundle,
  options: SandboxRun,
  subject: RecordingSubject,
): Promise<RecordedRun> {
  const vault = makeVault(subject.redact);
  const recorder = makeRecorder();
  const { timekeeper } = recorder;
  const input = vault.hide(options.input ?? null);
  const handleCall = withVault(options.handleCall, vault);
  const answer = await runBundle(bundle, { ...options, handleCall, input, timekeeper });
  if (recorder.isTooLarge()) return { answer, recording: undefined };
  const recording = {
    madeBy: { codemode: VERSION, node: process.version },
    ...subject,
    start: timekeeper.start,
    input,
    ...withoutUndefined({ key: options.key }),
    limits: options.limits,
    bundle,
    ...toRecordedSteps(recorder.steps),
    answer,
    ending: recorder.ending(),
  };
  return { answer, recording: maskRecording(recording, vault) };
}

/** Hides what calls carry under names to be redacted, and every secret that is known by now, wherever it stands. */
export function maskRecording(recording: Recording, vault: Vault): Recording {
  if (recording.redact.length === 0) return recording;
  const calls = recording.calls.map((call) => ({ ...call, input: vault.hide(call.input), ...coverReply(call, vault) }));
  const { input, bundle } = recording;
  const answer = { ...recording.answer, result: vault.cover(recording.answer.result) };
  return { ...recording, ...maskJson({ input, bundle, answer, calls }, { text: vault.mask }) };
}

/** A secret may have become known after the reply that held it. */
function coverReply({ reply }: Recording["calls"][number], vault: Vault): { reply?: ToolReply } {
  if (reply === undefined) return {};
  return { reply: reply.ok ? mapReply(reply, vault.cover) : reply };
}

/** Discovery tells of schemas, whose members are named like secrets and hold none. */
function withVault(handleCall: HandleCall, vault: Vault): HandleCall {
  return async (call, known) => {
    const { serverId, input } = call;
    if (serverId === DISCOVERY || input === undefined) return handleCall(call, known);
    // What the script sends under a name to be redacted is known before the server can answer with it.
    vault.learn(input);
    const reply = await handleCall({ ...call, input: vault.restore(input) }, known);
    return hideReply("json" in reply ? readReply(reply) : reply, vault);
  };
}

/** Of a reply that is text, with the value that the text says. */
function readReply({ readValue, checkLater, json: _json, ...reply }: PrintedReply): ValueReply {
  checkLater();
  const value = readValue();
  return value === undefined
    ? refused("ToolCallError", "The result is no JSON.", "Return another one.")
    : { ...reply, value };
}

function mapReply<Reply extends ToolReply & { ok: true }>(
  reply: Reply,
  change: <Value extends JsonValue>(value: Value) => Value,
): Reply {
  return {
    ...reply,
    value: change(reply.value),
    ...withoutUndefined({ content: reply.content === undefined ? undefined : change(reply.content) }),
  };
}

/** Names of members may be secrets too, but those of the reply itself are ours. */
function hideReply(reply: ValueReply, vault: Vault): ValueReply {
  if (reply.ok) return mapReply(reply, vault.hide);
  const { message, hint, details } = reply.error;
  const texts = { message: vault.hide(message), hint: vault.hide(hint) };
  return {
    ...reply,
    error: {
      ...reply.error,
      ...texts,
      ...withoutUndefined({ details: details === undefined ? undefined : vault.hide(details) }),
    },
  };
}
