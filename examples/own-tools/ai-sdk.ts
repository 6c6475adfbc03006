// Vercel AI SDK: its tools, behind one tool that runs code. A person is asked about each cancelled order.
import { generateText, isStepCount, tool } from "ai";
import { codeMode } from "codemode";
import { z } from "zod";
import { makeModel } from "../frameworks/stand-in/model.ts";
import { code as script } from "./stand-in/script.ts";

const model = makeModel(script); // Your own: `openai("…")`, `anthropic("…")`.

const order = z.object({ id: z.string(), total: z.number() });
const orders = {
  listOrders: tool({
    description: "Lists the open orders of the customer who asks",
    inputSchema: z.object({}),
    outputSchema: z.array(order),
    execute: () => [
      { id: "a", total: 40 },
      { id: "b", total: 2 },
    ],
  }),
  cancelOrder: tool({
    description: "Cancels an order",
    inputSchema: order.pick({ id: true }),
    needsApproval: true,
    execute: ({ id }) => `cancelled ${id}`,
  }),
};

await using code = await codeMode({ orders }, { approve: async ({ call }) => askPerson(call?.input) });
const { text } = await generateText({
  model,
  prompt: "Cancel my smallest order.",
  tools: { code: code.tool },
  stopWhen: isStepCount(10),
});
console.log(text);

/** Yours: a dialog, a message, a page. */
async function askPerson(input: unknown): Promise<boolean> {
  console.log("May this order be cancelled?", input);
  return true;
}
