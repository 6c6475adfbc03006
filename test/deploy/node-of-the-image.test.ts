import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listNodeFlags } from "../../runtime/sandbox/pool/node-flags.ts";
import { makeSandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { findNode, NODE_OF_IMAGE } from "../node-versions/find-node.ts";
import { runScript } from "../sandbox/realm/run-script.ts";
import { readDeployed } from "./deployed-files.ts";
import { makeTestFolder } from "../make-test-folder.ts";

test("it is the one of the Dockerfile, and runs sandboxes", async () => {
  expect(await readDeployed("Dockerfile")).toContain(`\nARG NODE_VERSION=${NODE_OF_IMAGE}\n`);
  const pool = makeSandboxPool({ node: findNode(NODE_OF_IMAGE), size: 1, refill: false });
  onTestFinished(() => pool.close());
  const answer = await runScript("globalThis.__codemode_result__ = 1 + 1;", { pool });
  expect(answer).toEqual({ logs: [], result: 2, diagnostics: [], toolTrace: [] });
});

/** Prints for each way to the network whether it was open. */
const TRY_NETWORK = `
  const [port, socketFile] = process.argv.slice(2);
  const ways = {
    tcp: (done) => require("node:net").connect(port, "127.0.0.1", () => done(true)).on("error", () => done(false)),
    file: (done) => require("node:net").connect(socketFile, () => done(true)).on("error", () => done(false)),
    fetch: (done) => fetch("http://127.0.0.1:" + port).then(() => done(true), () => done(false)),
    name: (done) => require("node:dns").lookup("localhost", (error) => done(error === null)),
    udp: (done) => require("node:dgram").createSocket("udp4").send("x", 9, "127.0.0.1", (error) => done(error === null)),
    listen: (done) => require("node:net").createServer().listen(0, "127.0.0.1", () => done(true)),
  };
  const open = {};
  let current;
  const tryNext = (left) => {
    if (left.length === 0) return console.log(JSON.stringify(open)), process.exit();
    const [[name, way], ...rest] = left;
    let isDone = false;
    current = (isOpen) => { if (!isDone) { isDone = true; open[name] = isOpen; tryNext(rest); } };
    try { way(current); } catch { current(false); }
  };
  process.on("uncaughtException", () => current(false));
  tryNext(Object.entries(ways));`;

test("its permission model keeps a sandbox off the network where the machine allows no namespace", async () => {
  const folder = await makeTestFolder();
  const listen = async (...where: [number, string] | [string]): Promise<number> => {
    const server = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    await new Promise<void>((settle) => server.listen(...(where as [number, string]), settle));
    onTestFinished(() => void server.close());
    return (server.address() as { port?: number }).port ?? 0;
  };
  const [port] = [await listen(0, "127.0.0.1"), await listen(join(folder, "socket"))];
  const program = join(folder, "attacker.cjs");
  await writeFile(program, TRY_NETWORK);
  const tryWith = async (flags: readonly string[]): Promise<Record<string, boolean>> => {
    const words = [...flags, program, String(port), join(folder, "socket")];
    const stdout = await new Promise<string>((settle) => {
      execFile(findNode(NODE_OF_IMAGE), words, { env: {}, timeout: 10_000 }, (_error, text) => settle(text));
    });
    return JSON.parse(stdout) as Record<string, boolean>;
  };
  const all = (isOpen: boolean) => ({
    tcp: isOpen,
    file: isOpen,
    fetch: isOpen,
    name: isOpen,
    udp: isOpen,
    listen: isOpen,
  });
  expect(await tryWith([])).toEqual(all(true));
  expect(await tryWith(listNodeFlags({ major: Number(NODE_OF_IMAGE), minor: 0 }, [`${folder}/`]))).toEqual(all(false));
});
