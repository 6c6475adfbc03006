import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { codeMode, defineTool } from "codemode";

const USERS = 50;

/** The context of one run; its handlers are called with the same number. */
interface RunContext {
  n: number;
}

const SCRIPT = `import { whoami } from "@codemode/servers/own";
const n = globalThis.__codemode_input__;
const seen = [await whoami({ n })];
seen.push(...(await Promise.all([whoami({ n }), whoami({ n })])));
export default seen;`;

/**
 * Makes so many runs of fifty users at once, each with a context of its own.
 * @returns how many runs have ended, each place that saw the context of another run, and how many contexts the heap still has
 */
export async function runForUsers(runs: number): Promise<{ ended: number; wrong: string[]; kept: number }> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const request = new AsyncLocalStorage<RunContext>();
  const wrong: string[] = [];
  const look = (place: string, n: unknown, context: RunContext | undefined): true => {
    if (context?.n !== n || request.getStore() !== context) wrong.push(place);
    return true;
  };
  const whoami = defineTool<RunContext, z.ZodObject<{ n: z.ZodNumber }>>({
    inputSchema: z.object({ n: z.number() }),
    enabled: (context) => look("enabled", context.n, context),
    needsApproval: ({ n }, { context }) => look("needsApproval", n, context),
    async execute({ n }, { context }) {
      look("execute", n, context);
      await delay(n % 3);
      look("later", n, context);
      return context.n;
    },
  });
  const code = await codeMode<RunContext>(
    { own: { whoami } },
    {
      isolation: "compartment",
      approve: async ({ call, context }) => look("approve", (call?.input as RunContext | undefined)?.n, context),
    },
  );
  const made: WeakRef<RunContext>[] = [];
  let [begun, ended] = [0, 0];
  const runOne = async (n: number): Promise<void> => {
    const context = { n };
    made.push(new WeakRef(context));
    const onCall = (): void => void look("onCall", n, context);
    const { result } = await request.run(context, () => code.run({ code: SCRIPT }, { context, input: n, onCall }));
    if (JSON.stringify(result) === JSON.stringify([n, n, n])) ended += 1;
    else wrong.push(`result ${JSON.stringify(result)}`);
  };
  const user = async (): Promise<void> => {
    while (begun < runs) await runOne((begun += 1));
  };
  await Promise.all(Array.from({ length: USERS }, user));
  const countKept = (): number => made.filter((one) => one.deref() !== undefined).length;
  for (let look = 0; look < 50 && countKept() > 0; look += 1) {
    await delay(20);
    collect();
  }
  const kept = countKept();
  await code.close();
  return { ended, wrong, kept };
}
