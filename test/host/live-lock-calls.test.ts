import { beforeEach, describe, expect, test } from "vitest";
import { configOf, resetServer, server, setUp, WRITE } from "./changing-server.ts";

beforeEach(resetServer);

describe("a connection for a call", () => {
  const never = () => false;
  const always = () => true;

  test("comes with what was listed over it, without another list", async () => {
    const { lock, look } = await setUp();
    await look();
    expect(await lock.connect("files", {}, always)).toMatchObject({ renewals: 0, live: { id: "files" } });
    expect(server.lists).toBe(1);
  });

  test.each<[string, () => void]>([
    ["has lost its session", () => (server.renewals += 1)],
    ["was started again", () => (server.generation = {})],
    ["has announced a change", () => server.listeners.forEach((listener) => listener())],
  ])("of a server that %s comes after a new list", async (_name, change) => {
    const { lock, look } = await setUp();
    await look();
    change();
    server.nowMs += 1000;
    server.tools = [WRITE];
    const { live, renewals: count } = await lock.connect("files", {}, never);
    expect(live?.tools.map(({ name }) => name)).toEqual(["write"]);
    expect({ count, lists: server.lists }).toEqual({ count: server.renewals, lists: 2 });
  });

  test("of a server that announces a change with each list comes after some of them", async () => {
    const { lock, look } = await setUp();
    await look();
    server.onList = () => server.listeners.forEach((listener) => listener());
    server.listeners.forEach((listener) => listener());
    expect(await lock.connect("files", {}, always)).toMatchObject({ live: { id: "files" } });
    expect(server.lists).toBe(4);
  });

  test("without a list comes as it is where none is needed", async () => {
    const { lock, look } = await setUp();
    server.onList = () => {
      throw new Error("no list");
    };
    await look().catch(() => {});
    expect(await lock.connect("files", {}, never)).toMatchObject({ live: undefined });
    await expect(lock.connect("files", {}, always)).rejects.toThrow("no list");
    expect(server.lists).toBe(2);
  });

  test("of a server that is not configured has no list", async () => {
    const { lock } = await setUp({ config: configOf({}, []) });
    expect(await lock.connect("files", {}, always)).toMatchObject({ live: undefined, renewals: 0 });
    expect(server.lists).toBe(0);
  });
});
