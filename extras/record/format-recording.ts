import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import { integrityOfText } from "../../schemas/lock/integrity.ts";
import { RECORDING_VERSION, type Recording } from "../../schemas/run/recording.ts";

/**
 * The text of a recording, its own integrity included. Its own members have a fixed order; what servers and scripts made keeps its order,
 * because a script can see that. The bundle, which few will read, comes last.
 */
export function formatRecording(recording: Recording): string {
  const { madeBy, script, redact, servers, start, input, key, limits, ending, answer, calls, events, bundle } =
    recording;
  const content = {
    ...{ recordingVersion: RECORDING_VERSION, madeBy, script, redact, servers, start, input, key, limits },
    ...{ ending, answer, calls, events, bundle },
  };
  const integrity = integrityOfText(JSON.stringify(content));
  return `${escapeInvisible(JSON.stringify({ ...content, integrity }, null, 2))}\n`;
}
