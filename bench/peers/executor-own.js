import { makeQuickJsExecutor } from "@executor-js/runtime-quickjs";
import * as Effect from "effect/Effect";
import { OWN_FUNCTIONS } from "../contenders/own-functions.js";
import { writeBody } from "../contenders/write-script.js";

/** Executor's runtime with functions of the process that asks: a name becomes a call, and nothing is checked. */
export async function open() {
  const executor = makeQuickJsExecutor();
  const tools = {
    invoke: ({ path, args }) => Effect.promise(async () => OWN_FUNCTIONS[path.split(".").at(-1)].execute(args)),
  };
  return {
    async run(work) {
      const { statements, remark } = writeBody(work, 'tools.everything.echo({ message: "hello" })');
      const script = `${statements}return last ?? 1;${remark}`;
      const { result, error } = await Effect.runPromise(executor.execute(script, tools));
      if (error) throw new Error(error);
      return result;
    },
    close: async () => undefined,
  };
}
