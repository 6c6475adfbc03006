import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";
import { makeLedgerProject } from "../extras/durable/start-ledger.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

const header = (name: string, rest: object = {}) => ({ in: "header", name, schema: { type: "string" }, ...rest });
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const keyOf = (run: string, number: number) => ({ "dev.codemode/run-key": run, "dev.codemode/call-number": number });

/** An API with the operation `pay`, and what each of its requests had in a header. */
async function connect(parameters: object[], options: object = {}, method = "post", rest: object = {}) {
  const { origin, seen } = await startScriptedApi((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("{}"),
  );
  const operation = { operationId: "pay", parameters, ...answering({ type: "object" }) };
  const document = makeDocument({ "/pay": { [method]: operation } }, rest);
  const { api, call } = await connectApi(document, { baseUrl: origin, ...options });
  const [tool] = api.tools;
  const pay = async (input: object, meta?: object): Promise<string> => (await call("pay", input, undefined, meta)).text;
  return { tool, pay, sent: (name: string) => seen.map(({ headers }) => headers[name.toLowerCase()]) };
}

test.each(["Idempotency-Key", "idempotency_key", "X-Idempotency-Key", "X-Idempotency-Token", "Idempotency"])(
  "run and number of a call are in the header %s of the document, and the tool says that it may come again",
  async (name) => {
    const { tool, pay, sent } = await connect([header(name)]);
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, "dev.codemode/takes-run-key": true });
    await pay({}, keyOf("order-4711", 1));
    await pay({}, keyOf("order-4711", 2));
    await pay({}, keyOf("order-4711", 1));
    expect(sent(name)).toEqual(["order-4711:1", "order-4711:2", "order-4711:1"]);
  },
);

test.each([
  ["another header", [header("Idempotency-Expires"), header("Key")], {}, "post"],
  ["an operation that only reads", [header("Idempotency-Key")], { idempotencyHeader: "Idempotency-Key" }, "get"],
  ["no header", [], {}, "delete"],
  ["a header that is given by hand", [header("Idempotency-Key")], { headers: ["idempotency-key: mine"] }, "post"],
])("%s gets no key, and the tool says nothing of it", async (_, parameters, options, method) => {
  const { tool, pay, sent } = await connect(parameters, options, method);
  expect(tool?.annotations).not.toHaveProperty("dev.codemode/takes-run-key");
  await pay({}, keyOf("order-4711", 1));
  expect([...sent("Idempotency-Expires"), ...sent("Key")]).toEqual([undefined, undefined]);
  expect(sent("Idempotency-Key")).toEqual(["headers" in options ? "mine" : undefined]);
});

test("a header that a person names goes with every operation that does more than read", async () => {
  const { tool, pay, sent } = await connect([header("Idempotency-Key")], { idempotencyHeader: "PayPal-Request-Id" });
  expect(tool?.annotations).toHaveProperty("dev.codemode/takes-run-key", true);
  await pay({}, keyOf("k", 3));
  expect([sent("PayPal-Request-Id"), sent("Idempotency-Key")]).toEqual([["k:3"], [undefined]]);
  await expect(connect([], { idempotencyHeader: "Host" })).rejects.toThrow("--idempotency-header is no name of");
  await expect(connect([], { idempotencyHeader: "a b" })).rejects.toThrow("--idempotency-header is no name of");
});

test("what a script gives is sent in its place, and need not be given", async () => {
  const { tool, pay, sent } = await connect([header("Idempotency-Key", { required: true })]);
  expect(tool?.inputSchema).toMatchObject({ properties: { "Idempotency-Key": { type: "string" } } });
  expect(tool?.inputSchema).not.toHaveProperty("required");
  await pay({ "Idempotency-Key": "mine" }, keyOf("order-4711", 1));
  await pay({});
  await pay({}, keyOf("a\r\nb", 1));
  const [mine, ...others] = sent("Idempotency-Key");
  expect([mine, new Set(others).size]).toEqual(["mine", 2]);
  for (const other of others) expect(other).toMatch(UUID);
});

test.each([
  ["format: uuid", { type: "string", format: "uuid" }],
  ["a length that it does not keep", { type: "string", maxLength: 36 }],
  ["a reference to one of them", { $ref: "#/components/schemas/Key" }],
])("for an API that takes %s it is a UUID, the same each time", async (_, schema) => {
  const components = { schemas: { Key: { type: "string", format: "uuid" } } };
  const { pay, sent } = await connect([header("Idempotency-Key", { schema })], {}, "post", { components });
  const run = "7b7c9a2e-1d2f-4c39-9f0a-0f5f5f0f5f0f";
  for (const number of [1, 2, 1]) await pay({}, keyOf(run, number));
  const [first, second, again] = sent("Idempotency-Key");
  expect(first).toMatch(UUID);
  expect([again === first, second === first]).toEqual([true, false]);
});

test("a client that says no run sends no key where the API needs none", async () => {
  const { pay, sent } = await connect([header("Idempotency-Key")]);
  for (const meta of [undefined, {}, keyOf("", 1), { "dev.codemode/run-key": "k" }, keyOf("k".repeat(129), 1)])
    await pay({}, meta);
  expect(sent("Idempotency-Key")).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

/** An API that takes orders, each key once, and loses the connection of the first. */
async function startOrders() {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers["idempotency-key"]?.toString());
    if (keys.length > 1) response.writeHead(200, { "content-type": "application/json" }).end('{"order":1}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}

test("an order of a durable run whose process ended in between is sent again with its key, and no person is asked", async () => {
  const { url, keys } = await startOrders();
  const file = join(await makeTestFolder(), "orders.json");
  const operation = { operationId: "order", parameters: [header("Idempotency-Key")], ...answering({ type: "object" }) };
  await writeFile(file, JSON.stringify(makeDocument({ "/orders": { post: operation } })));
  const args = [resolve("openapi/dist/main.js"), file, "--base-url", url];
  const project = await makeLedgerProject("", {
    mcpServers: { shop: { command: process.execPath, args } },
    policy: {},
  });
  const code = 'import { order } from "@codemode/servers/shop"; export default await order({});';
  const options = { durable: true, key: "order-4711" };
  const first = await project.openEngine();
  const lost = first.run({ code }, options);
  await expect.poll(() => keys.length, { timeout: 20_000 }).toBe(1);
  await first.close();
  await lost;
  const again = await (await project.openEngine()).run({ code }, options);
  expect(again).toMatchObject({ result: { order: 1 }, diagnostics: [] });
  expect(keys).toEqual(["order-4711:1", "order-4711:1"]);
});
