import { makeQuickJsExecutor } from "@executor-js/runtime-quickjs";
import * as Effect from "effect/Effect";
import { writeBody } from "../contenders/write-script.js";
import { connect } from "./sdk-client.js";

/** Executor's runtime: scripts run in QuickJS, compiled to WebAssembly. Its tools are a plain SDK client here. */
export async function open({ server }) {
  const client = await connect(server);
  const executor = makeQuickJsExecutor();
  const tools = {
    invoke: ({ path, args }) =>
      Effect.promise(() => client.callTool({ name: path.split(".").at(-1), arguments: args })),
  };
  return {
    async run(work) {
      const { statements, remark } = writeBody(work, 'tools.everything.echo({ message: "hello" })');
      const { result, error } = await Effect.runPromise(
        executor.execute(`${statements}return last ?? 1;${remark}`, tools),
      );
      if (error) throw new Error(error);
      return result;
    },
    close: () => client.close(),
  };
}
