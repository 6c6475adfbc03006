import { failedAnswer } from "../../../schemas/answer.ts";
import type { ServedView, SurfaceCall } from "../surface.ts";
import type { Admission } from "./admission.ts";

/**
 * The view whose runs and tool calls wait for their turn. A refusal is an answer like any other.
 *
 * @param client whose allowance is used and whose line is waited in
 */
export function admitView(view: ServedView, admission: Admission, client: string): ServedView {
  const enter = ({ signal, isResumed = false }: SurfaceCall) => admission.enter(client, { signal, isResumed });
  return {
    ...view,
    async run(request, call) {
      const entry = await enter(call);
      if (entry.kind === "refused") return failedAnswer([entry.diagnostic]);
      try {
        return await view.run(request, call);
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
