import { describe, expect, test } from "vitest";
import {
  isAllowedHost,
  isAllowedOrigin,
  isListedOrigin,
  answerPreflight,
  crossOriginHeaders,
} from "../../../serve/http/allowed-names.ts";
import { digestToken, type HttpClient, identifyClient } from "../../../serve/http/http-plan.ts";
import { formatHost, isLoopback, parseListenAddress } from "../../../serve/http/http-listener.ts";
import { cancelledRequest, isRequest, isSubscription, toMessages } from "../../../serve/http/json-rpc.ts";
import { OpenRequests } from "../../../serve/http/legacy-session.ts";
import { OpenWork } from "../../../serve/http/open-work.ts";
import { makeSessionId, parseSessionId, type SessionState, toSessionFacts } from "../../../serve/http/session-id.ts";

describe("of the names in requests", () => {
  test.each<[string | undefined, boolean]>([
    ["localhost", true],
    ["LOCALHOST:1", true],
    ["127.1.2.3:80", true],
    ["[::1]:9", true],
    ["a.example", true],
    ["A.example:1", true],
    ["b.example:2", true],
    ["B.EXAMPLE:2", true],
    ["b.example", false],
    ["b.example:3", false],
    ["c.example", false],
    ["a.example.evil", false],
    ["127.1.2.3.evil", false],
    ["1127.1.2.3", false],
    ["xlocalhost", false],
    ["localhost/", false],
    ["localhost?", false],
    ["localhost#", false],
    ["x@localhost", false],
    ["localhost\\", false],
    ["", false],
    [undefined, false],
  ])("the host %s is served: %j", (host, isServed) => {
    expect(isAllowedHost(host, ["a.example", "b.example:2"])).toBe(isServed);
  });

  test.each<[string | undefined, boolean, boolean]>([
    [undefined, true, false],
    ["http://localhost", true, false],
    ["https://127.0.0.1:8", true, false],
    ["https://a.example", true, true],
    ["https://a.example:443", true, true],
    ["http://a.example", false, false],
    ["https://a.example:444", false, false],
    ["xhttp://localhost", false, false],
    ["httpx://localhost", false, false],
    ["ftp://localhost", false, false],
    ["null", false, false],
    ["chrome-extension://b", false, false],
    ["", false, false],
  ])("a page of %s is answered: %j, and reads the answer: %j", (origin, isAnswered, isListed) => {
    const allowed = ["nonsense", "null", "chrome-extension://a", "https://a.example"];
    expect(isAllowedOrigin(origin, allowed)).toBe(isAnswered);
    expect(origin !== undefined && isListedOrigin(origin, allowed)).toBe(isListed);
    const headers = crossOriginHeaders({ headers: { origin } } as never, allowed);
    expect(headers).toEqual(
      isListed
        ? {
            "access-control-allow-origin": origin,
            "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate, Retry-After",
            vary: "Origin",
          }
        : {},
    );
  });

  test.each<[string | undefined, string]>([
    ["a-b, C_1", "a-b, C_1"],
    [undefined, ""],
    ["a;b", ""],
    [";a", ""],
    ["a:", ""],
    ["*", ""],
  ])("a preflight that asks for %s may send %j", (asked, sent) => {
    const { status, headers } = answerPreflight({ headers: { "access-control-request-headers": asked } } as never);
    expect([
      status,
      headers.get("access-control-allow-headers"),
      headers.get("access-control-allow-methods"),
      headers.get("access-control-max-age"),
    ]).toEqual([204, sent, "GET, POST, DELETE", "600"]);
  });
});

describe("addresses", () => {
  test.each<[string, boolean]>([
    ["localhost", true],
    ["LocalHost", true],
    ["127.0.0.1", true],
    ["127.255.255.255", true],
    ["::1", true],
    ["[::1]", true],
    ["127.0.0", false],
    ["127.0.0.1.evil", false],
    ["127.evil.example", false],
    ["1127.0.0.1", false],
    ["127.0.0.1234", false],
    ["localhost.evil", false],
    ["::11", false],
    ["0.0.0.0", false],
  ])("%s is this machine alone: %j", (host, isOwn) => {
    expect(isLoopback(host)).toBe(isOwn);
  });

  test("stand in URLs with brackets where they have colons", () => {
    expect([formatHost("::1"), formatHost("a.example")]).toEqual(["[::1]", "a.example"]);
  });

  test.each(["x8080", "8080x", "[g]:1", "a b:1", "[::1]", "123456", "65536", "[::1]8080", "a_b:1"])(
    "%s is none",
    (text) => {
      expect(() => parseListenAddress(text, "--metrics")).toThrow(/^--metrics: /);
    },
  );

  test.each([
    ["0", "127.0.0.1", 0],
    ["65535", "127.0.0.1", 65_535],
    ["A-1.example:80", "A-1.example", 80],
    ["[fe80::1.2.3.4]:80", "fe80::1.2.3.4", 80],
  ])("%s is the host %s and the port %i", (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });
});

test("a client is known by the whole of its token, and without tokens by none", () => {
  const clientOf = (name: string, token?: string): HttpClient =>
    ({
      access: { client: name },
      ...(token === undefined ? {} : { tokenDigest: digestToken(token) }),
    }) as unknown as HttpClient;
  const [ada, grace, open, other] = [clientOf("ada", "a"), clientOf("grace", "b"), clientOf("open"), clientOf("other")];
  const asked = (authorization: string | undefined, clients: HttpClient[]) =>
    identifyClient(authorization, clients)?.access.client;
  expect([undefined, "Bearer a", "Bearer b", "Bearer c", "a"].map((header) => asked(header, [ada, grace]))).toEqual([
    undefined,
    "ada",
    "grace",
    undefined,
    undefined,
  ]);
  expect([undefined, "Bearer a", "Bearer c"].map((header) => asked(header, [open, ada, other]))).toEqual([
    "open",
    "ada",
    "open",
  ]);
  expect(asked("Bearer a", [])).toBeUndefined();
});

describe("messages", () => {
  test("are those of a body that are objects", () => {
    expect(
      [{ a: 1 }, [{ a: 1 }, 2, null, [{}], { b: 2 }], undefined, "x", null].map((body) => toMessages(body as never)),
    ).toEqual([[{ a: 1 }], [{ a: 1 }, { b: 2 }], [], [], []]);
  });

  test("are requests where they have a method and an id", () => {
    const messages = [{ method: "m", id: 1 }, { method: "m", id: null }, { method: "m" }, { id: 1 }, {}];
    expect(messages.map(isRequest)).toEqual([true, true, false, false, false]);
    expect([{ method: "subscriptions/listen" }, { method: "tools/call" }].map(isSubscription)).toEqual([true, false]);
  });

  test("cancel the request that they name", () => {
    const cancel = (params: unknown, method = "notifications/cancelled") =>
      cancelledRequest({ method, params } as never);
    expect(
      [{ requestId: 1 }, { requestId: "1" }, { requestId: null }, { requestId: {} }, {}, [], null].map((params) =>
        cancel(params),
      ),
    ).toEqual([1, "1", undefined, undefined, undefined, undefined, undefined]);
    expect(cancel({ requestId: 1 }, "notifications/progress")).toBeUndefined();
  });
});

test("an id is taken once, until its request is answered, cancelled or refused whole", async () => {
  const open = new OpenRequests();
  const sent: unknown[] = [];
  const transport = { send: async (message: unknown, options: unknown) => void sent.push([message, options]) };
  open.watch(transport as never);
  const ask = (...ids: (number | string)[]) => open.add(ids.map((id) => ({ method: "m", id })));
  expect([ask(1), ask(1), ask(2, 3), ask(4, 3), ask(4), ask(5, 5), ask(5), ask("1")]).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    true,
    true,
  ]);
  await (transport.send as (message: unknown, options?: unknown) => Promise<void>)({ id: 1, result: {} }, "o");
  expect(sent).toEqual([[{ id: 1, result: {} }, "o"]]);
  expect([ask(1), ask(1)]).toEqual([true, false]);
  for (const message of [{ method: "ping", id: 2 }, { method: "m" }, { result: {} }])
    await transport.send(message, undefined);
  expect(ask(2)).toBe(false);
  expect(open.add([{ method: "notifications/cancelled", params: { requestId: 2 } }])).toBe(true);
  expect(ask(2)).toBe(true);
  open.drop([{ method: "m", id: 3 }, { id: 4 }]);
  expect([ask(3), ask(4)]).toEqual([true, false]);
  expect([open.add(undefined), open.add({ method: "n" })]).toEqual([true, true]);
});

test("work is awaited to its end with any outcome, or until the time is up", async () => {
  const work = new OpenWork();
  await work.settled(60_000);
  let end: (value: number) => void = () => {};
  const first = work.track(new Promise<number>((resolve) => (end = resolve)));
  const second = work.track(Promise.reject(new Error("no"))).catch((error: Error) => error.message);
  expect(work.count).toBe(2);
  expect(await second).toBe("no");
  expect(work.count).toBe(1);
  let isSettled = false;
  const waiting = work.settled(60_000).then(() => (isSettled = true));
  await work.settled(1);
  expect(isSettled).toBe(false);
  end(5);
  expect([await first, await waiting, work.count]).toEqual([5, true, 0]);
});

describe("a session's id", () => {
  const FACTS: SessionState[] = [true, false].flatMap((form) =>
    [true, false].map((url) => ({
      protocolVersion: "2025-06-18",
      elicitation: { form, url },
      clientName: form ? "ai-sdk-mcp-client" : "",
    })),
  );
  test.each(FACTS)("carries %j for its client alone", (facts) => {
    const id = makeSessionId(facts, "ada");
    expect(parseSessionId(id, "ada")).toEqual(facts);
    for (const other of ["grace", undefined, ""]) expect(parseSessionId(id, other)).toBeUndefined();
    expect(parseSessionId(makeSessionId(facts, undefined), undefined)).toEqual(facts);
    expect(makeSessionId(facts, "ada")).not.toBe(id);
  });

  test("is refused where any of it was changed", () => {
    const id = makeSessionId(
      { protocolVersion: "2025-06-18", elicitation: { form: true, url: false }, clientName: "" },
      "ada",
    );
    const changed = [
      id.replace(".f.", ".fu."),
      id.replace("2025-06-18", "2025-03-26"),
      `x${id}`,
      `${id}x`,
      id.slice(0, -1),
      id.replace(".f.", ".x."),
      "",
      "a.b.c.d",
    ];
    for (const text of changed) expect(parseSessionId(text, "ada")).toBeUndefined();
    const unknown = makeSessionId(
      { protocolVersion: "1999-01-01", elicitation: { form: true, url: false }, clientName: "" },
      "ada",
    );
    expect(parseSessionId(unknown, "ada")).toBeUndefined();
  });

  test.each([
    [{ name: "Visual Studio Code", version: "1" }, "Visual Studio Code"],
    [{ name: "\u{1f642} böse\n".repeat(1000) }, "\u{1f642} böse\n".repeat(1000).slice(0, 64)],
    [{ name: 3 }, ""],
    ["raw", ""],
  ])("carries what the client %j calls itself, cut to a bounded length", (clientInfo, clientName) => {
    const facts = toSessionFacts({ protocolVersion: "2025-06-18", capabilities: {}, clientInfo } as never);
    expect(facts.clientName).toBe(clientName);
    const id = makeSessionId(facts, "ada");
    expect(id).toMatch(/^[\x21-\x7e]{1,400}$/);
    expect(parseSessionId(id, "ada")).toEqual(facts);
  });

  test.each<[unknown, SessionState["elicitation"]]>([
    [undefined, { form: false, url: false }],
    [null, { form: false, url: false }],
    [{}, { form: false, url: false }],
    [{ elicitation: true }, { form: false, url: false }],
    [{ elicitation: {} }, { form: true, url: false }],
    [{ elicitation: { form: {} } }, { form: true, url: false }],
    [{ elicitation: { url: {} } }, { form: false, url: true }],
    [{ elicitation: { form: {}, url: {} } }, { form: true, url: true }],
  ])("notes of the capabilities %j how users are asked", (capabilities, elicitation) => {
    expect(toSessionFacts({ protocolVersion: "2025-06-18", capabilities } as never)).toEqual({
      protocolVersion: "2025-06-18",
      elicitation,
      clientName: "",
    });
    expect(toSessionFacts({ protocolVersion: "1999-01-01", capabilities } as never)).toMatchObject({ elicitation });
    expect(toSessionFacts({ protocolVersion: "1999-01-01" }).protocolVersion).toMatch(/^20/);
  });
});
