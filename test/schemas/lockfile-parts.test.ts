import { describe, expect, test } from "vitest";
import { formatLockfile, parseLockedServer, parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { lockServer, type SnapshotOrigin } from "../../schemas/lock/lock-server.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { ServerSnapshot } from "../../schemas/lock/server-snapshot.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";

const LOCAL: SnapshotOrigin = {
  id: "files",
  name: "Files",
  source: {
    transport: "stdio",
    command: "npx",
    args: ["-y", "server"],
    env: new Map([
      ["B", "2"],
      ["A", "1"],
    ]),
    inheritEnv: ["HOME"],
    cwd: "work",
  },
  package: { name: "server", version: "1.2.3", floats: true },
};
const REMOTE: SnapshotOrigin = {
  id: "remote",
  name: "remote",
  source: {
    transport: "http",
    url: "https://remote.example/mcp?region=eu",
    headers: new Map([
      ["X-B", "2"],
      ["X-A", "1"],
    ]),
  },
};
const SNAPSHOT: ServerSnapshot = {
  serverInfo: { version: "1", name: "s" },
  protocolVersion: "2025-11-25",
  era: "modern",
  capabilities: { tools: { listChanged: true } },
  clientCapabilities: { elicitation: {} },
  instructions: "Be gentle.",
  tools: [
    {
      name: "b",
      title: "B",
      description: "Does b.",
      inputSchema: { type: "object" },
      outputSchema: { type: "string" },
      annotations: { readOnlyHint: true },
      "x-vendor": 1,
    },
    { name: "a", title: 1, description: null, inputSchema: { type: "object", properties: {} } },
  ],
};

const parse = (value: JsonValue) => parseLockfile(JSON.stringify(value), "codemode.lock.json");
const written = (...servers: LockedServer[]): JsonObject =>
  JSON.parse(formatLockfile({ servers: new Map(servers.map((server) => [server.id, server])) })) as JsonObject;

describe("an entry is locked, written and read as the same value", () => {
  test("where it is a command", () => {
    const locked = lockServer(LOCAL, SNAPSHOT);
    expect(locked.source).toStrictEqual({
      transport: "stdio",
      command: "npx",
      args: ["-y", "server"],
      env: ["A", "B"],
      inheritEnv: ["HOME"],
      cwd: "work",
      package: { name: "server", version: "1.2.3", floats: true },
    });
    expect(locked.tools).toStrictEqual([
      {
        name: "a",
        exportName: "a",
        inputSchema: { properties: {}, type: "object" },
        integrity: expect.stringMatching(/^sha256-/),
      },
      {
        name: "b",
        exportName: "b",
        title: "B",
        description: "Does b.",
        inputSchema: { type: "object" },
        outputSchema: { type: "string" },
        annotations: { readOnlyHint: true },
        integrity: expect.stringMatching(/^sha256-/),
      },
    ]);
    expect(locked).toMatchObject({ era: "modern", instructions: "Be gentle." });
    expect(parse(written(locked)).servers.get("files")).toStrictEqual(locked);
  });

  test("where it is an address", () => {
    const locked = lockServer(REMOTE, { ...SNAPSHOT, era: "legacy" });
    expect(locked.source).toStrictEqual({
      transport: "http",
      url: "https://remote.example/mcp?region=",
      headers: ["X-A", "X-B"],
    });
    expect(parse(written(locked)).servers.get("remote")).toStrictEqual(locked);
  });

  test("where little is known of it", () => {
    const { instructions: _, ...quiet } = SNAPSHOT;
    const source = { transport: "stdio", command: "x", args: [], env: new Map<string, string>() } as const;
    const locked = lockServer({ id: "x", name: "x", source, package: { name: "x", floats: false } }, quiet);
    expect(locked.source).toStrictEqual({
      ...{ transport: "stdio", command: "x", args: [], env: [] },
      package: { name: "x", floats: false },
    });
    expect(locked).not.toHaveProperty("instructions");
    expect(parse(written(locked)).servers.get("x")).toStrictEqual(locked);
  });

  test("where an output schema is the configuration's", () => {
    const outputs = new Map<string, JsonValue>([
      ["files/a", { type: "number" }],
      ["other/b", { type: "number" }],
    ]);
    const locked = lockServer({ ...LOCAL, outputs }, SNAPSHOT);
    expect(locked.tools).toMatchObject([
      { outputSchema: { type: "number" }, outputSchemaFrom: "configuration" },
      { outputSchema: { type: "string" } },
    ]);
    expect(locked.tools[1]).not.toHaveProperty("outputSchemaFrom");
    expect(parse(written(locked)).servers.get("files")).toStrictEqual(locked);
  });

  test("where secrets in its command are none", () => {
    const source = { transport: "stdio", command: "x", args: ["--token", "abcdefgh1"], env: new Map() } as const;
    const argsOf = (notSecret: string[]) => lockServer({ id: "x", name: "x", source, notSecret }, SNAPSHOT).source;
    expect(argsOf([])).toMatchObject({ args: ["--token", "${X_TOKEN}"] });
    expect(argsOf(["args[1]"])).toMatchObject({ args: ["--token", "abcdefgh1"] });
  });
});

test("the integrity of a server covers what it says of itself and its tools, and not how it is started", () => {
  const locked = lockServer(LOCAL, SNAPSHOT);
  const integrityOf = (changed: Partial<ServerSnapshot>, origin = LOCAL) =>
    lockServer(origin, { ...SNAPSHOT, ...changed }).integrity;
  expect(integrityOf({}, { ...REMOTE, name: "Other" })).toBe(locked.integrity);
  const others = [integrityOf({ instructions: "" }), integrityOf({ tools: [] }), integrityOf({ serverInfo: {} })];
  expect(new Set([locked.integrity, ...others]).size).toBe(4);
});

describe("a lockfile is refused", () => {
  /** The file with one server whose entry has another value there, or none. */
  const edited = (origin: SnapshotOrigin, path: readonly (string | number)[], value?: JsonValue): JsonObject => {
    const file = written(lockServer(origin, SNAPSHOT));
    let place = (file["servers"] as JsonObject)[origin.id] as JsonObject;
    for (const step of path.slice(0, -1)) place = place[step] as JsonObject;
    const last = path.at(-1) as string;
    if (value === undefined) delete place[last];
    else place[last] = value;
    return file;
  };
  const problemOf = (value: JsonValue): string => {
    try {
      parse(value);
    } catch (error) {
      if (error instanceof CodemodeError)
        return error.message.replace(/^codemode\.lock\.json: (server "[^"]+": )?/, "");
    }
    throw new Error("it was not refused");
  };

  test.each<[string, JsonValue]>([
    ['"lockfileVersion" is missing or unknown', { servers: {} }],
    ['"lockfileVersion" is missing or unknown', { lockfileVersion: "1", servers: {} }],
    ['"lockfileVersion" is missing or unknown', { lockfileVersion: 0, servers: {} }],
    ['"servers" is not an object', { lockfileVersion: 1, servers: [] }],
    ['"servers" is not an object', { lockfileVersion: 1 }],
    ["it is not an object", { lockfileVersion: 1, servers: { a: 1 } }],
    ["the id is not normalized", { lockfileVersion: 1, servers: { "A--2": {} } }],
  ])("as %s: %j", (problem, value) => {
    expect(problemOf(value)).toBe(problem);
  });

  test.each<[string, SnapshotOrigin, (string | number)[], JsonValue?]>([
    ['"tools" is not a list', LOCAL, ["tools"], {}],
    ['"name" is not a string', LOCAL, ["name"]],
    ['"source" is not an object', LOCAL, ["source"]],
    ['"source" is not an object', LOCAL, ["source"], "npx"],
    ['"source.transport" is unknown', LOCAL, ["source", "transport"], "ws"],
    ['"command" is not a string', LOCAL, ["source", "command"], ["npx"]],
    ['"args" is not a list of strings', LOCAL, ["source", "args"], "x"],
    ['"args" is not a list of strings', LOCAL, ["source", "args"], ["x", 1]],
    ['"env" is not a list of strings', LOCAL, ["source", "env"]],
    ['"inheritEnv" is not a list of strings', LOCAL, ["source", "inheritEnv"], "HOME"],
    ['"source.package" is not an object', LOCAL, ["source", "package"], "server"],
    ['"name" is not a string', LOCAL, ["source", "package", "name"]],
    ['"url" is not a string', REMOTE, ["source", "url"]],
    ['"headers" is not a list of strings', REMOTE, ["source", "headers"], {}],
    ['"serverInfo" is not an object', LOCAL, ["serverInfo"], []],
    ['"protocolVersion" is not a string', LOCAL, ["protocolVersion"], 1],
    ['"capabilities" is not an object', LOCAL, ["capabilities"]],
    ['"clientCapabilities" is not an object', LOCAL, ["clientCapabilities"], null],
    ["tool 1: it is not an object", LOCAL, ["tools", 1], []],
    ['tool 0: "name" is not a string', LOCAL, ["tools", 0, "name"]],
    ['tool 0: "exportName" is not a string', LOCAL, ["tools", 0, "exportName"]],
    ['tool 0: "integrity" is not a string', LOCAL, ["tools", 0, "integrity"]],
    ['tool 1: "title" is not a string', LOCAL, ["tools", 1, "title"], 1],
    ['tool 1: "description" is not a string', LOCAL, ["tools", 1, "description"], null],
    ['tool 1: "outputSchemaFrom" is unknown', LOCAL, ["tools", 1, "outputSchemaFrom"], "server"],
    ['"exportName" of "b" is not b', LOCAL, ["tools", 1, "exportName"], "b2"],
  ])("as %s: %j", (problem, origin, path, value) => {
    expect(problemOf(edited(origin, path, value))).toBe(problem);
  });

  test("as two tools have the same name", () => {
    const { tools } = lockServer(LOCAL, SNAPSHOT);
    const twice = [tools[0], tools[0]] as unknown as JsonValue;
    expect(problemOf(edited(LOCAL, ["tools"], twice))).toBe("two tools have the same name");
  });

  test("as its integrity does not fit, whichever tool is gone", () => {
    const [first] = lockServer(LOCAL, SNAPSHOT).tools;
    expect(problemOf(edited(LOCAL, ["tools"], [first as unknown as JsonValue]))).toBe(
      "its integrity does not match its content",
    );
  });

  test.each([
    ["inputSchema", { type: "array" }],
    ["outputSchema", { type: "array" }],
    ["annotations", { readOnlyHint: false }],
    ["title", "C"],
  ])("as the integrity of a tool does not cover another %s", (key, value) => {
    expect(problemOf(edited(LOCAL, ["tools", 1, key], value))).toBe(
      'tool 1: the integrity of "b" does not match its content',
    );
  });

  test("with what to do about it", () => {
    const hintOf = (text: string): string | undefined => {
      try {
        parseLockfile(text, "x");
      } catch (error) {
        if (error instanceof CodemodeError) return error.hint;
      }
      return undefined;
    };
    expect(hintOf("{")).toBe("Restore the file from version control, or repair it with `codemode lock --repair`.");
    expect(hintOf('{"a":\n>>>>>>> x')).toBe("Run `codemode lock --repair`: it keeps what both sides agree on.");
    for (const mark of ["<<<<<<< ours", "=======", ">>>>>>> theirs"]) {
      expect(hintOf(`{\n${mark}\n`)).toContain("--repair`: it keeps");
      expect(hintOf(`{\n ${mark}\n`)).toContain("Restore");
      expect(hintOf(`{\n${mark.slice(1)}\n`)).toContain("Restore");
    }
    expect(hintOf('{"lockfileVersion": 2}')).toBe("Update codemode.");
  });
});

test("an id may end in a number that tells it from another", () => {
  const entry = (written(lockServer(REMOTE, SNAPSHOT))["servers"] as JsonObject)["remote"] as JsonValue;
  expect(parseLockedServer("remote--12", entry, "x").id).toBe("remote--12");
  for (const id of ["remote--12--x-", "Remote--12", "remote--1x-", "re--1mote--2x--"]) {
    expect(() => parseLockedServer(id, entry, "x")).toThrow("not normalized");
  }
});
