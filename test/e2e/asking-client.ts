import type { ServedAnswer } from "../../serve/surface.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { STAND_INS } from "./run-codemode.ts";
import { connectLegacy } from "./serve-clients.ts";

/** A script whose one call asks a person in the project of `ASKING_FILES`. */
export const ASKING_CODE = `import { echo } from "@codemode/servers/everything";
  export default await echo({ message: "hello" });`;

/** A project whose one tool in use asks a person, with a request that waits for 300 ms. */
export const ASKING_FILES = {
  "codemode.config.json": {
    mcpServers: { everything: STAND_INS.everything },
    policy: { ask: ["everything/echo"] },
    serve: { detachAfterMs: 300 },
  },
};

type Answer = ServedAnswer & { runId: string };

/** `codemode serve` with a client whose runs wait for a person. */
export async function serveTo(cwd: string, env: Record<string, string>, capabilities: JsonObject = {}) {
  const client = await connectLegacy(cwd, [], { capabilities }, env);
  const call = async (args: JsonObject): Promise<Answer> => {
    const result = await client.callTool({ name: "codemode.run", arguments: args });
    return result.structuredContent as unknown as Answer;
  };
  /** Until the run waits for a person: the first one starts the server before. */
  const begin = async (args: JsonObject): Promise<Answer> => {
    const answer = await call(args);
    return answer.diagnostics.length > 1 ? answer : begin({ runId: answer.runId });
  };
  const waitFor = async ({ runId }: Answer): Promise<Answer> => {
    const answer = await call({ runId });
    return answer.runId === undefined ? answer : waitFor(answer);
  };
  return { client, call, begin, waitFor };
}
