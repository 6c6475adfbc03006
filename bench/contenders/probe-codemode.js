import { codeMode, defineTool } from "codemode";
import { z } from "zod";

/** codemode over the functions that `bench/own-peers/probe.js` gives to each system. */
export async function openCodemode(work, { timeoutMs }) {
  const own = (run) => (input, call) => run(input, call.context.user);
  const user = z.object({
    id: z.string(),
    name: z.string(),
    context: z.string().nullable(),
    store: z.string().nullable(),
  });
  const title = z.object({ title: z.string() });
  const message = z.object({ message: z.string() });
  const code = await codeMode(
    {
      own: {
        getUser: defineTool({
          inputSchema: z.object({ id: z.string() }),
          outputSchema: user,
          execute: own(work.getUser),
        }),
        echo: defineTool({ inputSchema: message, outputSchema: message, execute: own(work.echo) }),
        createTodo: defineTool({
          ...{ inputSchema: title, outputSchema: title, needsApproval: true },
          execute: own(work.createTodo),
        }),
      },
    },
    { isolation: "compartment", limits: { timeoutMs } },
  );
  return {
    call: (name, args) => `own.${name}(${args})`,
    async run(body, context) {
      const script = `import { getUser, echo, createTodo } from "@codemode/servers/own";
const own = { getUser, echo, createTodo };
export default await (async () => { ${body} })();`;
      const { result, diagnostics } = await code.run({ code: script }, { context });
      if (!diagnostics.some(({ severity }) => severity === "error")) return result;
      // All of them are what a model reads; the type error says most.
      const { message, hint = "" } = diagnostics.find(({ code: kind }) => kind === "TYPE_ERROR") ?? diagnostics[0];
      throw new Error(`${message} ${hint}`);
    },
  };
}
