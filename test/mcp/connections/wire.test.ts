import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { INHERITED, planServerEnvironment } from "@codemode/runtime/server-environment";
import { CLIENT_INFO } from "@codemode/runtime/connections/client-identity";
import { isCredentialName } from "../../../schemas/secrets/secret-names.ts";
import { SeveralLines } from "../../../runtime/mcp/client/wire/unclear-lines.ts";
import { findResponseId, parseIncoming } from "../../../runtime/mcp/client/wire/json-rpc.ts";
import { LineSplitter, type Line } from "../../../runtime/mcp/client/wire/line-splitter.ts";
import { toPlainLine, toPlainText } from "../../../runtime/mcp/client/plain-text.ts";
import { TextTail } from "../../../runtime/mcp/client/stdio/server-process.ts";
import packageJson from "../../../package.json" with { type: "json" };

describe("lines of a stream", () => {
  const split = (chunks: readonly Buffer[], limit = 1_000_000): Line[] => {
    const splitter = new LineSplitter(limit);
    return chunks.flatMap((chunk) => [...splitter.push(chunk)]);
  };

  it("are the same however the stream is cut, characters included", () => {
    const lines = fc.array(fc.string({ unit: "binary", minLength: 1 }).map((text) => `{${text.replace(/\n/g, "")}`));
    fc.assert(
      fc.property(lines, fc.array(fc.nat(200)), (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        const expected = texts.map((text) => ({ kind: "line", text: Buffer.from(text).toString() }));
        expect(split(chunks)).toEqual(expected);
      }),
    );
  });

  it("are left out where they are empty or not ended", () => {
    expect(split([Buffer.from("\n\r\n  \na\nb")])).toEqual([{ kind: "line", text: "a" }]);
  });

  it("keep only their edges when they are over the limit; the next one is whole again", () => {
    const long = `head${"x".repeat(5_000)}tail`;
    const bytes = Buffer.from(`${long}\nnext\n`);
    const chunks = Array.from({ length: 8 }, (_, index) => bytes.subarray(index * 700, (index + 1) * 700));
    const lines = split(chunks, 1_000);
    expect(lines).toEqual([
      {
        kind: "oversize",
        head: `head${"x".repeat(252)}`,
        tail: `${"x".repeat(252)}tail`,
        byteLength: 5_008,
      },
      { kind: "line", text: "next" },
    ]);
  });
});

describe("incoming messages", () => {
  it.each([
    ["a result", '{"jsonrpc":"2.0","id":1,"result":{"a":1}}', { id: 1, result: { a: 1 } }],
    ["a result after a byte order mark", '\uFEFF{"id":1,"result":{}}', { id: 1, result: {} }],
    ["a result with unknown keys beside it", '{"id":"1","result":{},"x":1}', { id: "1", result: {} }],
    ["a result beside a null error", '{"id":1,"result":{},"error":null}', { id: 1, result: {} }],
    ["a result whose _meta is null", '{"id":1,"result":{"_meta":null,"b":2}}', { id: 1, result: { b: 2 } }],
    [
      "an error",
      '{"id":1,"error":{"code":-5,"message":"m","data":[1]}}',
      { id: 1, error: { code: -5, message: "m", data: [1] } },
    ],
    [
      "optional members that are null, and those of a value stay",
      '{"id":1,"error":null,"result":{"content":[],"structuredContent":null,"isError":null,"_meta":null}}',
      { id: 1, result: { content: [] } },
    ],
    [
      "null within a value",
      '{"id":1,"result":{"structuredContent":{"a":null},"nextCursor":null}}',
      { id: 1, result: { structuredContent: { a: null } } },
    ],
    [
      "an error whose details are null",
      '{"id":1,"result":null,"error":{"code":-5,"message":"m","data":null}}',
      { id: 1, error: { code: -5, message: "m" } },
    ],
    ["an error that is text", '{"id":1,"error":"m"}', { id: 1, error: { code: -32603, message: "m" } }],
    [
      "an error with odd fields",
      '{"id":1,"error":{"code":"E","message":7}}',
      { id: 1, error: { code: -32603, message: "no message" } },
    ],
  ])("are put right: %s", (_, line, expected) => {
    expect(parseIncoming(line)).toEqual([{ kind: "response", message: { jsonrpc: "2.0", ...expected } }]);
  });

  it.each([
    ["no JSON", "hello"],
    ["no object", "7"],
    ["an error that belongs to nothing", '{"id":null,"error":{"code":1,"message":"m"}}'],
    ["an answer without id", '{"result":{}}'],
    ["a request whose id is no id", '{"id":{},"method":"ping"}'],
    ["a notification without a proper form", '{"method":"x","params":[]}'],
  ])("are passed over: %s", (_, line) => {
    expect(parseIncoming(line)).toEqual([]);
  });

  it("are refused, or fail the request that waits for the answer", () => {
    expect(parseIncoming('{"id":1,"method":"x","params":[]}')).toMatchObject([{ kind: "refused", id: 1 }]);
    expect(parseIncoming('{"id":1,"result":[]}')).toMatchObject([{ kind: "broken", id: 1 }]);
    expect(parseIncoming('{"id":1}')).toMatchObject([{ kind: "broken", id: 1 }]);
  });

  it.each([
    [
      "text glued before it",
      'Loading... {"jsonrpc":"2.0","id":3,"result":{}}',
      { kind: "response", message: { jsonrpc: "2.0", id: 3, result: {} } },
    ],
    [
      "a log level glued before it",
      '[INFO] {"a":1} {"id":3,"result":{}}',
      { kind: "response", message: { jsonrpc: "2.0", id: 3, result: {} } },
    ],
    [
      "NaN",
      '{"jsonrpc":"2.0","id":3,"result":{"structuredContent":{"t":"NaN","v":NaN}}}',
      { kind: "broken", id: 3, problem: "its answer is no JSON (NaN at character 70)" },
    ],
    [
      "a value of Python, its id last",
      '{"result":{"ok":True},"jsonrpc":"2.0","id":"3"}',
      { kind: "broken", id: 3, problem: "its answer is no JSON (True at character 17)" },
    ],
    [
      "a message that is cut off",
      '{"jsonrpc":"2.0","id":3,"result":{"content":[',
      { kind: "broken", id: 3, problem: "its answer is no JSON" },
    ],
    [
      "text before what is none",
      'x {"id":3,"result":{"v":-Infinity}}',
      { kind: "broken", id: 3, problem: "its answer is no JSON (-Infinity at character 23)" },
    ],
  ])("are read, or fail their call, with %s", (_, line, incoming) => {
    expect(parseIncoming(line)).toEqual([incoming]);
  });

  it.each([
    ["a request that is none", '{"jsonrpc":"2.0","id":3,"method":"x","params":NaN}'],
    ["a log line with an id", 'done {"id": 3, "took": 1.5s}'],
    ["a log line of a result", "the result: 3"],
    ["a log line of what was asked", 'got {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}}'],
  ])("are passed over, as they answer nothing: %s", (_, line) => {
    expect(parseIncoming(line)).toEqual([]);
  });

  it("fail their call where they are in several lines, as soon as that is known", () => {
    const said = (value: object, indentation: number | string): unknown[] => {
      const lines = new SeveralLines();
      return JSON.stringify(value, undefined, indentation)
        .split("\n")
        .flatMap((line) => (parseIncoming(line).length > 0 ? "parsed" : (lines.take(line) ?? [])));
    };
    const problem = "its answer is in several lines, and MCP wants each message in one";
    const result = { content: [{ type: "text", text: "{" }], structuredContent: { id: 7, error: 1, method: "x" } };
    for (const indentation of [2, 4, "\t"]) {
      expect(said({ jsonrpc: "2.0", id: 3, result }, indentation)).toEqual([{ kind: "broken", id: 3, problem }]);
      expect(said({ result, id: 3 }, indentation)).toEqual([{ kind: "broken", id: 3, problem }]);
      expect(said({ level: 30, id: 3, msg: "x" }, indentation)).toEqual([]);
      expect(said({ jsonrpc: "2.0", id: 3, method: "ping" }, indentation)).toEqual([]);
    }
  });

  it.each([
    ["with its first members beside the brace", '{"jsonrpc": "2.0",\n "id": 3,\n "result": {\n  "cost": -NaN\n }\n}'],
    [
      "with the brace of its result on a line of its own",
      '{\n"jsonrpc": "2.0",\n"result":\n{\n"cost": NaN\n},\n"id": 3\n}',
    ],
    ["with two members on a line", '{\n  "jsonrpc": "2.0", "id": 3,\n  "result": { "a": [\n -Infinity ] }\n}'],
    ["with no indentation", '{\n"id": "3",\n"result": {\n"x": 1\n}\n}'],
    [
      "behind the text of a log",
      'done {"jsonrpc": "2.0",\n"result": [\n  {"id": 5, "error": "none"}\n, nan],\n"id": 3}',
    ],
    [
      "with answers of others in its result",
      '{\n  "result": [\n    {"id": 5, "result": NaN},\n    {}\n  ],\n  "id": 3\n}',
    ],
    ["behind one that has broken off", '{\n  "id": 9,\n{\n  "id": 3,\n  "error": {\n    "code": nan\n  }\n}'],
    ["with carriage returns", '{\r\n  "id": 3,\r\n  "result": {\r\n  }\r\n}\r'],
  ])("fail their call where they are in several lines %s", (_, text) => {
    const lines = new SeveralLines();
    const said = text
      .split("\n")
      .flatMap((line) => [...(lines.holds(line) ? [] : parseIncoming(line)), ...[lines.take(line) ?? []].flat()]);
    expect(said).toMatchObject([{ kind: "broken", id: 3 }]);
  });

  it.each([
    ["a log of an object", '{\n  "level": 30,\n  "request": { "id": 3, "result": 1 }\n}\n"id": 3, "result": 1'],
    ["a question", '{\n  "jsonrpc": "2.0",\n  "id": 3,\n  "method": "ping",\n  "result": 1\n}'],
    ["text", 'a "result": {\n"id": 3\n}'],
  ])("are passed over where they are %s in several lines", (_, text) => {
    const lines = new SeveralLines();
    expect(text.split("\n").flatMap((line) => lines.take(line) ?? [])).toEqual([]);
  });

  it("are looked at in linear time", () => {
    const lines = ['{"id":3,"result":', '{"id":3,"result":"\\"', '{ "id" ', '"', '\\"'].map((part) =>
      part.repeat(200_000),
    );
    const before = process.cpuUsage();
    for (const line of lines) parseIncoming(line);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });

  it("never throw and never touch a prototype, for any input", () => {
    fc.assert(fc.property(fc.json(), (text) => void parseIncoming(text)));
    const [incoming] = parseIncoming('{"id":1,"__proto__":{"result":{}},"result":{"__proto__":{"a":1},"_meta":3}}');
    const result = (incoming as unknown as { message: { result: object } }).message.result;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.hasOwn(result, "__proto__")).toBe(true);
  });

  it.each([
    ['{"jsonrpc":"2.0","id":12,"result":{"content":"', '"}}', 12],
    ['{"id":"12","error":{', "}}", 12],
    ['{"result":{"content":"', '"},"jsonrpc":"2.0","id":12}', 12],
    ['{"jsonrpc":"2.0","result":{"content":"', '"},"id":12}', 12],
    ['{"jsonrpc":"2.0","id":12,"method":"sampling/createMessage","params":{', "}}", undefined],
    ['{"method":"x","params":{', '},"id":12}', undefined],
    ['{"jsonrpc":"2.0","method":"notifications/message","params":{', '"id":12}', undefined],
  ])("over the limit tell the id of the request they answer: %s…%s", (head, tail, expected) => {
    expect(findResponseId(head, tail)).toBe(expected);
  });
});

describe("text of a server", () => {
  it("cannot move the cursor, ring, colour or reorder", () => {
    expect(toPlainText("\u001b[31mred\u001b[0m\u0007 \u001b]0;title\u0007a\rb\u202Ec\u009b")).toBe("red a\nbc");
    expect(toPlainLine(`one\n\ttwo ${"x".repeat(100)}`, 12)).toBe("one two xxx…");
  });

  it("is kept in constant memory", () => {
    const tail = new TextTail(undefined, 10);
    for (const chunk of ["abc", "defghij", "k", "0123456789-0123456789"]) tail.append(Buffer.from(chunk));
    expect(tail.text()).toBe("0123456789");
  });
});

describe("the environment of a server", () => {
  const host = {
    HOME: "/home/me",
    PATH: "/bin",
    SECRET: "s",
    TERM: "() { evil; }",
    SystemRoot: "C:",
    SYSTEMROOT: "C:\\",
  };

  const plan = (env: NodeJS.ProcessEnv, inheritEnv: string[] = [], platform: NodeJS.Platform = "linux") =>
    planServerEnvironment({}, inheritEnv, { env, platform });

  it("has folders and programs of the host on POSIX, without functions in disguise; the configuration wins", () => {
    const planned = planServerEnvironment({ PATH: "/mine", KEY: "k" }, [], { env: host, platform: "linux" });
    expect(planned).toEqual({ HOME: "/home/me", PATH: "/mine", KEY: "k" });
  });

  it("has the system's folders on Windows", () => {
    expect(plan(host, [], "win32")).toEqual({ PATH: "/bin", SYSTEMROOT: "C:\\" });
  });

  it("has what it needs to get through a company's network, in both spellings", () => {
    const network = {
      ...{ HTTPS_PROXY: "http://me:pw@proxy:1", no_proxy: "localhost", ALL_PROXY: "socks5://proxy:2" },
      ...{
        NODE_EXTRA_CA_CERTS: "/ca.pem",
        SSL_CERT_DIR: "/certs",
        REQUESTS_CA_BUNDLE: "/ca.pem",
        CURL_CA_BUNDLE: "/ca.pem",
      },
      ...{ LANG: "de_DE.UTF-8", TZ: "Europe/Berlin", TMPDIR: "/scratch", XDG_CACHE_HOME: "/cache" },
    };
    expect(plan({ ...network, ...host, TERM: "xterm" })).toEqual({
      ...network,
      HOME: "/home/me",
      PATH: "/bin",
      TERM: "xterm",
    });
  });

  it("has the addresses of registries, but no password of one, and no token of npm", () => {
    const env = {
      npm_config_registry: "https://npm.example/",
      UV_INDEX_URL: "https://me:secret@pypi.example/simple",
      PIP_INDEX_URL: "https://token@pypi.example/simple",
      "npm_config_//npm.example/:_authToken": "secret",
      NPM_TOKEN: "secret",
      NODE_OPTIONS: "--require ./x.js",
      GITHUB_TOKEN: "secret",
    };
    expect(plan(env)).toEqual({ npm_config_registry: "https://npm.example/" });
    const named = ["GITHUB_TOKEN", "UV_INDEX_URL", "NOT_SET"];
    expect(plan(env, named)).toEqual({
      npm_config_registry: "https://npm.example/",
      GITHUB_TOKEN: "secret",
      UV_INDEX_URL: "https://me:secret@pypi.example/simple",
    });
  });

  it("names no variable twice, and none like a credential's", () => {
    for (const platform of ["posix", "win32"]) {
      const names = INHERITED.filter((group) => group.platform === undefined || group.platform === platform).flatMap(
        (group) => group.names,
      );
      expect(names).toEqual([...new Set(names)]);
      expect(names.filter((name) => isCredentialName(name))).toEqual([]);
    }
  });
});

it("introduces itself with the version of the package", () => {
  expect(CLIENT_INFO).toEqual({ name: "codemode", version: packageJson.version });
});
