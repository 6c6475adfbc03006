import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { makeGeneratedProject, STAND_INS } from "./run-codemode.ts";
import { connectLegacy, initialize, type Message, modernMeta, openWire, type Wire } from "./serve-clients.ts";
import { shareInFile } from "./share-in-file.ts";

/** Pauses, so that not all comes together. */
const CODE = `import { echo } from "@codemode/servers/everything";
  // sleeps: what comes within a pause of the command is sent together
  const pause = () => new Promise((resolve) => setTimeout(resolve, 150));
  console.debug("in detail"); await pause();
  console.log("looking"); await pause();
  console.warn("slowly"); await pause();
  await echo({ message: "hi" }); await pause();
  export default 1;`;

/** All events; of simultaneous ones only the last is sent. */
const STEPS = ["in detail", "looking", "slowly", "calling everything/echo (1)", "called everything/echo (1)"];

function makeEverythingProject(): Promise<string> {
  return makeGeneratedProject({ "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } } });
}

const CALL: JsonObject = { name: "codemode.run", arguments: { code: CODE } };

function paramsOf(wire: Wire, method: string): JsonObject[] {
  return wire.received.filter((message) => message.method === method).map(({ params = {} }) => params);
}

/** Nothing of a call comes after its answer. */
function expectNothingAfter(wire: Wire, answer: Message): void {
  expect(wire.received.at(-1)).toBe(answer);
}

const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

const connected = shareInFile(async () => connectLegacy(await makeEverythingProject()));

test("a client of the first SDK follows a run by its progress", async () => {
  const client = connected();
  const seen: { progress: number; message?: string | undefined }[] = [];
  await client.callTool({ name: "codemode.run", arguments: { code: CODE } }, undefined, {
    onprogress: (progress) => seen.push(progress),
  });
  // On a busy machine a call says in between that it is at work.
  const messages = seen.map(({ message = "" }) => message).filter((message) => !/^at work for \d+ s$/.test(message));
  expect(STEPS.filter((step) => messages.includes(step))).toEqual(messages);
  expect(messages.at(-1)).toBe(STEPS.at(-1));
  expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, index) => index + 1));
});

test("a client of the first SDK gets the log from the level on that it has set", async () => {
  const client = connected();
  const seen: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.push(params));
  await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  expect(seen).toEqual([]);
  await client.setLoggingLevel("info");
  await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  expect(seen).toEqual([
    { level: "info", logger: "script", data: "looking" },
    { level: "warning", logger: "script", data: "slowly" },
  ]);
});

test("a request of 2026-07-28 says itself what it wants to hear", async () => {
  const wire = openWire(await makeEverythingProject());
  const quiet = await wire.ask("tools/call", { ...CALL, _meta: modernMeta() });
  expect(quiet.result).toMatchObject({ structuredContent: { result: 1 } });
  expect(wire.received).toEqual([quiet]);

  const _meta = { ...modernMeta(), "io.modelcontextprotocol/logLevel": "debug", progressToken: "the run" };
  const answer = await wire.ask("tools/call", { ...CALL, _meta });
  const logged = paramsOf(wire, "notifications/message");
  expect(logged.filter(({ logger }) => logger === "script")).toEqual([
    { level: "debug", logger: "script", data: "in detail" },
    { level: "info", logger: "script", data: "looking" },
    { level: "warning", logger: "script", data: "slowly" },
  ]);
  const calls = logged.filter(({ logger }) => logger === "tools");
  expect(calls.map(({ data }) => data).join("\n")).toBe(STEPS.slice(-2).join("\n"));
  const progress = paramsOf(wire, "notifications/progress");
  expect(progress.map((params) => params["progressToken"])).toEqual(progress.map(() => "the run"));
  // sleeps: what is sent too late comes in this time
  await pause(300);
  expectNothingAfter(wire, answer);
});

test("a script that logs without end is streamed in few messages of limited length", async () => {
  const wire = openWire(await makeEverythingProject());
  await initialize(wire);
  await wire.ask("logging/setLevel", { level: "debug" });
  const code = 'for (let i = 0; i < 5000; i += 1) console[i % 2 ? "log" : "warn"]("line " + i);';
  const answer = await wire.ask("tools/call", {
    name: "codemode.run",
    arguments: { code },
    _meta: { progressToken: 7 },
  });
  expect(answer.result).toHaveProperty("structuredContent.logs.length", 5000);
  const notifications = wire.received.filter(({ method }) => method !== undefined);
  expect(notifications.length).toBeGreaterThan(1);
  expect(notifications.length).toBeLessThan(500);
  expect(paramsOf(wire, "notifications/message").at(-1)?.["data"]).toMatch(/^\d+ more messages: see the answer\.$/);
  // sleeps: what is sent too late comes in this time
  await pause(300);
  expectNothingAfter(wire, answer);
});
