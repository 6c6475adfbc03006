import type { Observer } from "../../schemas/run/observer.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import type { ServedView, SurfaceCall } from "../surface.ts";
import type { Admission } from "./admission.ts";

/**
 * The view whose runs and tool calls wait for their turn. A refusal is an answer like any other.
 *
 * @param client whose allowance is used and whose line is waited in
 */
export function admitView(view: ServedView, admission: Admission, client: string, observer?: Observer): ServedView {
  const enter = async ({ signal, isResumed = false, observation }: SurfaceCall) => {
    const entry = await admission.enter(client, { signal, isResumed });
    if (entry.kind === "refused") {
      const { code } = entry.diagnostic;
      observer?.runTurnedAway?.({ code, client: client === "" ? undefined : client });
      observation?.failed?.(code);
    } else observation?.admitted?.();
    return entry;
  };
  return {
    ...view,
    async run(request, call) {
      const entry = await enter(call);
      if (entry.kind === "refused") return failedAnswer([entry.diagnostic]);
      try {
        const answer = await view.run(request, call);
        const failure = answer.diagnostics.find(({ severity }) => severity === "error");
        if (failure !== undefined) call.observation?.failed?.(failure.code);
        return answer;
      } finally {
        entry.leave();
      }
    },
    async callTool(serverId, toolName, input, call) {
      const entry = await enter(call);
      if (entry.kind === "refused") {
        const { code, message, hint = "" } = entry.diagnostic;
        return { content: [{ type: "text", text: `${code}: ${message} ${hint}`.trimEnd() }], isError: true };
      }
      try {
        return await view.callTool(serverId, toolName, input, call);
      } finally {
        entry.leave();
      }
    },
  };
}
