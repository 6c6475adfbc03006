import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSealer, type StorePlan } from "../../../engine/store-plan.ts";
import { openStore } from "../../../extras/stores/postgres-store.ts";
import { checkStore } from "./store-contract.ts";
import { startPglite } from "./start-pglite.ts";
import { startProxy } from "./start-proxy.ts";

const sealer = makeSealer("k".repeat(32));
const plan = (url: string): StorePlan => ({ url, place: "the store", sealer });
/** How long a command may take in these tests. */
const SOON_MS = 1000;
let url: string;
beforeAll(async () => void (url = await startPglite(afterAll)));

test("a store in PostgreSQL does what every store does, for all replicas", async () => {
  const [one, other] = await Promise.all([openStore(plan(url)), openStore(plan(url))]);
  await expect(checkStore(one.store, other.store)).resolves.toBeUndefined();
  await Promise.all([one.store.close(), other.store.close()]);
});

test("projects that use one store share no name, and open nothing of each other", async () => {
  const [ours, theirs] = await Promise.all(["a", "b"].map((project) => openStore({ ...plan(url), project })));
  if (ours === undefined || theirs === undefined) throw new Error("not opened");
  const value = ours.sealer.seal("run/1", Buffer.from("x"));
  await ours.store.put("run/1", value, 60_000);
  expect(await theirs.store.get("run/1")).toBeUndefined();
  await theirs.store.put("run/1", Buffer.from("y"), 60_000);
  expect(await ours.store.get("run/1")).toEqual(value);
  expect([await ours.store.limit("rate/ada", 1), await theirs.store.limit("rate/ada", 1)]).toEqual([0, 0]);
  expect(String(ours.sealer.open("run/1", value))).toBe("x");
  expect(theirs.sealer.open("run/1", value)).toBeUndefined();
  await Promise.all([ours.store.close(), theirs.store.close()]);
});

test("a store that takes bytes and never answers fails each command, and closes", async () => {
  const proxy = await startProxy(url);
  const { store } = await openStore(plan(proxy.of(url)), SOON_MS);
  await store.put("run/1", Buffer.from("x"), 60_000);
  proxy.freeze();
  const unreachable = { code: "STORE_UNREACHABLE", message: expect.stringContaining("the store") };
  const commands = [store.get("run/1"), store.put("run/1", Buffer.from("y"), 60_000), store.limit("rate/ada", 5)];
  await Promise.all(commands.map((command) => expect(command).rejects.toMatchObject(unreachable)));
  proxy.thaw();
  await expect.poll(() => store.get("run/1").then(String, () => "not yet"), { timeout: 20_000 }).toBe("x");
  proxy.freeze();
  await store.close();
  await expect(openStore(plan(proxy.of(url)), SOON_MS)).rejects.toMatchObject(unreachable);
});

test("commands of a store that are under way when its connections break end soon", async () => {
  const proxy = await startProxy(url);
  const { store } = await openStore(plan(proxy.of(url)), SOON_MS);
  proxy.freeze();
  const command = store.get("run/1").catch((error: unknown) => error);
  proxy.cut();
  expect(await command).toMatchObject({ code: "STORE_UNREACHABLE" });
  await store.close();
});
