import { makeIsolate, type WorkerLoader } from "../../deploy/cloudflare/worker/isolate-engine.ts";
import { answerHostile } from "../escape/answer-hostile.ts";
import { runBundle } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { handleRead } from "../../runtime/sandbox/pool/handle-call.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";

/** What a test sends. */
export interface TryRequest {
  bundle: Bundle;
  limits: RunLimits;
  input?: JsonValue;
}

/** A Worker that runs any script in an isolate, as the Worker of a project runs its pinned ones. */
export default {
  async fetch(request: Request, env: { LOADER: WorkerLoader }): Promise<Response> {
    const { bundle, limits, input = null } = (await request.json()) as TryRequest;
    const handleCall = handleRead(async (call) => answerHostile(call));
    const pool = { take: async () => makeIsolate(env.LOADER, limits.timeoutMs), maxMemoryBytes: limits.maxMemoryBytes };
    return Response.json(await runBundle(bundle, { handleCall, limits, pool, input }));
  },
};
