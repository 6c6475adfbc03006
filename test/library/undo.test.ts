import { expect, test } from "vitest";
import { openCodeMode } from "./open-code-mode.ts";

test("an `undo` that fails says of which call, and what is taken back already; the next try goes on there", async () => {
  const undone: string[] = [];
  let isDown = true;
  const make = (name: string) => ({
    execute: () => name,
    undo() {
      if (name === "pay" && isDown) throw new Error("refund failed");
      undone.push(name);
    },
  });
  const code = await openCodeMode(
    { shop: { order: make("order"), pay: make("pay"), ship: make("ship") } },
    { runs: "memory" },
  );
  const script = `import { order, pay, ship } from "@codemode/servers/shop"; await order(); await pay(); await ship();`;
  const { runId = "" } = await code.run({ code: script }, { durable: true });
  await expect(code.undo(runId)).rejects.toMatchObject({
    code: "UNDO_FAILED",
    message: "The `undo` of call 2 (shop/pay) has failed: refund failed.",
    hint: "Taken back are call 3 (shop/ship). Call `undo` again to go on with that call.",
    cause: { message: "refund failed" },
  });
  isDown = false;
  expect(await code.undo(runId)).toEqual(["shop/pay", "shop/order"]);
  expect(undone).toEqual(["ship", "pay", "order"]);
});
