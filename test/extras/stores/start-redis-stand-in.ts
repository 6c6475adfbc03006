import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { MINUTE_MS, type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";

const LINE_END = "\r\n";
const bulk = (value: Buffer | string | undefined): Buffer =>
  value === undefined
    ? Buffer.from("$-1\r\n")
    : Buffer.concat([Buffer.from(`$${Buffer.byteLength(value)}\r\n`), Buffer.from(value), Buffer.from(LINE_END)]);
const OK = Buffer.from("+OK\r\n");
const number = (value: number): Buffer => Buffer.from(`:${value}\r\n`);

/** The commands of Redis that a store of codemode sends, over the memory of this process; `test:scale` has the real one. Ends with the test; gives its address. */
export async function startRedisStandIn(memory: RunStore = makeMemoryStore()): Promise<string> {
  const commands: { [name: string]: (...words: string[]) => Promise<Buffer> } = {
    info: async () => bulk("redis_version:7.0.0\r\nloading:0\r\n"),
    ping: async () => Buffer.from("+PONG\r\n"),
    client: async () => OK,
    quit: async () => OK,
    async time() {
      const seconds = Math.floor((await memory.now()) / 1000);
      return Buffer.from(`*2\r\n$10\r\n${seconds}\r\n$1\r\n0\r\n`);
    },
    async set(name = "", value = "", _px, ttl, nx) {
      const bytes = Buffer.from(value, "latin1");
      if (nx === undefined) await memory.put(name, bytes, Number(ttl));
      else if (!(await memory.add(name, bytes, Number(ttl)))) return bulk(undefined);
      return OK;
    },
    get: async (name = "") => bulk(await memory.get(name)),
    getdel: async (name = "") => bulk(await memory.take(name)),
    eval: async (_script, _keys, name = "", each) => number(await memory.limit(name, MINUTE_MS / Number(each))),
  };
  const answer = async (words: readonly string[]): Promise<Buffer> => {
    const [name = "", ...rest] = words;
    const run = commands[name.toLowerCase()];
    if (run === undefined) return Buffer.from(`-ERR unknown command '${name}'\r\n`);
    return run(...rest).catch((error: unknown) => Buffer.from(`-ERR ${(error as Error).message}\r\n`));
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = "";
    let answering = Promise.resolve();
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const [asked, left] = readCommands(rest + bytes.toString("latin1"));
      rest = left;
      for (const words of asked) answering = answering.then(async () => void socket.write(await answer(words)));
    });
  });
  await new Promise<void>((settle) => void server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Lists of byte strings (RESP), as far as they are whole, and what is left. */
function readCommands(text: string): [string[][], string] {
  const commands: string[][] = [];
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(text);
    if (head === null) return [commands, text];
    let at = head[0].length;
    const words: string[] = [];
    while (words.length < Number(head[1])) {
      const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
      if (size === null) return [commands, text];
      const begin = at + size[0].length;
      at = begin + Number(size[1]) + LINE_END.length;
      if (text.length < at) return [commands, text];
      words.push(text.slice(begin, at - LINE_END.length));
    }
    commands.push(words);
    text = text.slice(at);
  }
}
