// What the tools of the misbehaving HTTP server do, by name: (message, the wire) → nothing.

const text = (value) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

const QUESTION = {
  method: "elicitation/create",
  params: { mode: "form", message: "password?", requestedSchema: { type: "object", properties: {} } },
};
const askFor = (inputRequests) => ({ resultType: "input_required", requestState: "x", inputRequests });

export const httpCalls = {
  echo: ({ id, params }, { send, complete }) =>
    send({ jsonrpc: "2.0", id, result: { ...complete, ...text(params.arguments ?? "nothing") } }),
  headers: ({ id }, { send, request, complete }) =>
    send({ jsonrpc: "2.0", id, result: { ...complete, ...text(request.headers) } }),
  raw: ({ id }, { send, complete }) =>
    send({
      id,
      result: { ...complete, content: [{ type: "video", extra: 1 }], structuredContent: [1], isError: true, vendor: 1 },
    }),
  proto: ({ id }, { send }) =>
    send(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","__proto__":{"polluted":1},"content":[]}}`),
  big: ({ id, params }, { send, complete }) =>
    send({ jsonrpc: "2.0", id, result: { ...complete, ...text("x".repeat(params.arguments.bytes)) } }),
  return: ({ id, params }, { send, complete }) =>
    send({ jsonrpc: "2.0", id, result: { ...complete, ...params.arguments } }),
  "no-result": ({ id }, { send }) => send({ jsonrpc: "2.0", id }),
  "rpc-error": ({ id }, { send }) => send({ jsonrpc: "2.0", id, error: { code: -32000, message: "boom" } }),
  "wants-header": ({ id, params }, { send, response, request, complete }) => {
    if (request.headers["mcp-param-region"] === params.arguments.region) {
      return send({ jsonrpc: "2.0", id, result: { ...complete, ...text("seen") } });
    }
    const error = { code: -32020, message: "header mismatch" };
    return response
      .writeHead(400, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
  },
  "two-rounds": ({ id, params }, { send }) =>
    send({
      jsonrpc: "2.0",
      id,
      result:
        params.requestState === "round one"
          ? { resultType: "complete", ...text("two rounds") }
          : { resultType: "input_required", requestState: "round one" },
    }),
  "ask-person": ({ id, params }, { send }) => {
    if (params.requestState === "x") {
      return send({ jsonrpc: "2.0", id, result: { resultType: "complete", ...text(params.inputResponses) } });
    }
    return send({ jsonrpc: "2.0", id, result: askFor({ password: QUESTION }) });
  },
  "ask-for-ever": ({ id }, { send }) => send({ jsonrpc: "2.0", id, result: askFor({ password: QUESTION }) }),
  "ask-too-much": ({ id }, { send }) => {
    const requests = Array.from({ length: 11 }, (_, at) => [`password${at}`, QUESTION]);
    send({ jsonrpc: "2.0", id, result: askFor(Object.fromEntries(requests)) });
  },
  "other-id": (_message, { send }) => send({ jsonrpc: "2.0", id: 4711, result: text("not yours") }),
  "half-json": (_message, { send }) => send('{"jsonrpc":"2.0","id":1,"resu'),
  html: (_message, { response }) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Login</h1>"),
  status: ({ params }, { response }) => response.writeHead(params.arguments.status).end("the reason"),
  redirect: (_message, { response }) => response.writeHead(307, { location: "http://127.0.0.2:1/stolen" }).end(),

  hang: (_message, { response, server }) => server.waiting.add(response),
  "hang-in-body": (_message, { events }) =>
    events({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } }),
  late: ({ id, params }, { send, complete }) =>
    setTimeout(() => send({ jsonrpc: "2.0", id, result: { ...complete, ...text("late") } }), params.arguments.delayMs),
  twice: ({ id }, { events, response, complete }) => {
    events(...[1, 2].map((count) => ({ jsonrpc: "2.0", id, result: { ...complete, ...text(`answer ${count}`) } })));
    response.end();
  },
  progress: ({ id, params }, { events, response, complete }) => {
    const reports = Array.from({ length: params.arguments.count }, (_, index) => ({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: params._meta.progressToken, progress: index + 1, total: params.arguments.count },
    }));
    events(...reports, { jsonrpc: "2.0", id, result: { ...complete, ...text("done") } });
    response.end();
  },
  reset: (_message, { response }) => response.destroy(),
  "reset-in-stream": (_message, { events, response }) => {
    events({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } });
    setTimeout(() => response.destroy(), 20);
  },
  "reset-in-json": (_message, { response }) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
    response.write('{"jsonrpc":');
    setTimeout(() => response.destroy(), 20);
  },
  "end-without-answer": (_message, { events, response }) => {
    events({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: 1 } });
    response.end();
  },
  "resume-later": ({ id }, { response, server, complete }) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("id: 1\nretry: 10\ndata: \n\n");
    server.openStream = (request, resumed) => {
      if (request.headers["last-event-id"] !== "1") return resumed.writeHead(405).end();
      resumed.writeHead(200, { "content-type": "text/event-stream" });
      return resumed.end(
        `id: 2\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: { ...complete, ...text("resumed") } })}\n\n`,
      );
    };
  },
  "ask-and-ask": ({ id }, { events, response, server, complete }) => {
    // The answers to these are taken and never acknowledged, so all of them stay under way.
    server.holdAnswers = true;
    events(...Array.from({ length: 200 }, (_, number) => ({ jsonrpc: "2.0", id: `ask-${number}`, method: "ping" })));
    setTimeout(() => {
      events({ jsonrpc: "2.0", id, result: { ...complete, ...text({ underWay: server.held.length }) } });
      response.end();
      server.holdAnswers = false;
      for (const held of server.held.splice(0)) held.writeHead(202).end();
    }, 1_000);
  },
  "ask-client": ({ id }, { events, response, server, complete }) => {
    events({ jsonrpc: "2.0", id: "ping", method: "ping" }, { jsonrpc: "2.0", id: "roots", method: "roots/list" });
    const poll = setInterval(() => {
      const answers = server.received
        .map(({ message }) => message)
        .filter((each) => each?.id !== undefined && each.method === undefined);
      if (answers.length < 2) return;
      clearInterval(poll);
      events({ jsonrpc: "2.0", id, result: { ...complete, ...text(answers) } });
      response.end();
    }, 5);
  },
};
