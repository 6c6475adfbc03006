// An MCP server over HTTP that does what servers must not do. Habits name the misbehaviours of the whole server; each tool
// misbehaves as its name says. Habits: modern, modern-only, stream, json, old-http, silent-at-discover, need-login …

import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import { oddTools } from "./hostile-tools.mjs";
import { httpCalls } from "./misbehaving-http-calls.mjs";

/** Starts a server on a free port of this machine. */
export async function startMisbehavingHttp(...habitNames) {
  const server = new MisbehavingHttp(new Set(habitNames));
  await server.listen(0);
  return server;
}

class MisbehavingHttp {
  /** Everything that arrived: { method, headers, message }. */
  received = [];
  sessions = new Set();
  /** Open streams for notifications. */
  streams = new Set();
  /** Responses that wait for something, by the name of what they do. */
  waiting = new Set();
  /** Exchanges that neither side has ended. */
  open = new Set();
  tools = oddTools;
  /** Whether answers to its own requests are left without a response, and those responses. */
  holdAnswers = false;
  held = [];
  /** Checks the token of each request, if configured; answers the problem. */
  guard = undefined;
  /** What the server says of the authorization servers that it trusts (RFC 9728). */
  resourceMetadata = undefined;

  constructor(habits) {
    this.habits = habits;
    this.server = createServer((request, response) => void this.serve(request, response));
    this.server.on("connection", (socket) => socket.on("error", () => undefined));
  }

  async listen(port) {
    await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}/mcp`;
  }

  /** Ends it with all its connections, as a crash would; `listen(port)` starts it again. */
  async close() {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  forgetSessions() {
    this.sessions.clear();
  }

  /** Sends a notification over all open streams. */
  announce(method = "notifications/tools/list_changed") {
    for (const stream of this.streams) stream({ jsonrpc: "2.0", method });
  }

  breakStreams() {
    for (const stream of this.streams) stream(undefined);
    this.streams.clear();
  }

  async serve(request, response) {
    let body = "";
    for await (const chunk of request) body += chunk;
    const message = body === "" ? undefined : JSON.parse(body);
    this.received.push({ method: request.method, headers: request.headers, message });
    response.on("error", () => undefined);
    this.open.add(response);
    response.on("close", () => this.open.delete(response));
    if (request.url.startsWith("/.well-known/")) return this.serveMetadata(request, response);
    const fault = await this.guard?.(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1], message);
    if (fault !== undefined) return response.writeHead(fault.status, { "www-authenticate": fault.challenge }).end();
    if (this.habits.has("need-login")) {
      return response.writeHead(401, { "www-authenticate": 'Bearer realm="x"' }).end("who are you?");
    }
    if (this.habits.has("refuse-all")) return response.writeHead(403).end("not you");
    if (this.habits.has("broken")) return response.writeHead(500).end(`boom ${request.headers["x-token"]}`);
    if (this.habits.has("not-mcp")) return response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>");
    if (this.habits.has("slow-headers")) return this.waiting.add(response);
    if (this.habits.has("old-http")) return this.serveOldHttp(request, response, message);
    if (request.method === "DELETE") return response.writeHead(200).end();
    if (request.method === "GET") return this.openStream(request, response);
    return this.answer(message, request, response);
  }

  serveMetadata(request, response) {
    const isOurs = request.url.startsWith("/.well-known/oauth-protected-resource");
    if (!isOurs || this.resourceMetadata === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(this.resourceMetadata));
  }

  /** HTTP with SSE, the transport before streamable HTTP: one stream for all answers. */
  serveOldHttp(request, response, message) {
    if (request.method === "GET") {
      const session = randomUUID();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: /mcp?session=${session}\n\n`);
      this.sessions.add(session);
      const stream = (outgoing) =>
        outgoing === undefined ? response.destroy() : response.write(`data: ${JSON.stringify(outgoing)}\n\n`);
      this.streams.add(stream);
      return response.on("close", () => this.streams.delete(stream) && this.sessions.delete(session));
    }
    const session = new URL(request.url, this.url).searchParams.get("session");
    if (!this.sessions.has(session)) return this.refuseNewHttp(message, response);
    response.writeHead(202).end();
    const [stream] = this.streams;
    return this.answer(message, request, {
      send: stream,
      response: { destroy: () => this.breakStreams() },
    });
  }

  refuseNewHttp(message, response) {
    if (message.method === "server/discover" && this.habits.has("silent-at-discover"))
      return this.waiting.add(response);
    return response.writeHead(this.habits.has("session-400") ? 400 : 405).end("no such session");
  }

  openStream(_request, response) {
    if (!this.habits.has("stream")) return response.writeHead(405).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    const stream = (outgoing) =>
      outgoing === undefined ? response.destroy() : response.write(`data: ${JSON.stringify(outgoing)}\n\n`);
    this.streams.add(stream);
    return response.on("close", () => this.streams.delete(stream));
  }

  answer(message, request, response) {
    const isModern = message.params?._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
    const wire = response.send === undefined ? this.makeWire(message, response) : response;
    if (message.method === "server/discover") return this.discover(message, wire);
    if (this.habits.has("modern-only") && !isModern) return wire.response.writeHead(400).end("modern only");
    if (this.habits.has("no-initialize") && message.method === "initialize") {
      return wire.send({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } });
    }
    if (message.method === "initialize") return this.initialize(message, wire);
    const session = request.headers["mcp-session-id"];
    if (!isModern && wire.response.writeHead !== undefined && !this.sessions.has(session)) {
      const [status, words] = this.habits.has("session-400") ? [400, "No valid session ID"] : [404, "gone"];
      return wire.response.writeHead(status, { "content-type": "text/plain" }).end(words);
    }
    if (this.holdAnswers && message.method === undefined) return this.held.push(response);
    if (message.id === undefined) return wire.response.writeHead?.(202).end();
    const complete = isModern ? { resultType: "complete" } : {};
    if (message.method === "tools/list") {
      const cache = isModern ? { ttlMs: 60_000, cacheScope: "private" } : {};
      return wire.send({ jsonrpc: "2.0", id: message.id, result: { ...complete, ...cache, tools: this.tools } });
    }
    if (message.method === "tools/call")
      return httpCalls[message.params.name](message, { ...wire, request, complete, server: this });
    if (message.method === "subscriptions/listen") return this.listenStream(message, wire.response);
    return wire.send({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } });
  }

  discover(message, { send, response }) {
    if (this.habits.has("silent-at-discover") || this.habits.delete("silent-at-first"))
      return this.waiting.add(response);
    if (!this.habits.has("modern") && !this.habits.has("modern-only")) {
      return response.writeHead === undefined
        ? send({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } })
        : response.writeHead(400).end("Bad Request: no valid session");
    }
    const result = {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: { listChanged: true }, vendor: { x: 1 } },
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "misbehaving", version: "1", vendor: "kept" } },
    };
    return send({ jsonrpc: "2.0", id: message.id, result });
  }

  initialize(message, { send, response }) {
    if (this.habits.has("hang-at-initialize")) return this.waiting.add(response);
    const session = randomUUID();
    this.sessions.add(session);
    const result = {
      protocolVersion: message.params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "misbehaving", version: "1", vendor: "kept" },
    };
    return send({ jsonrpc: "2.0", id: message.id, result }, { "mcp-session-id": session });
  }

  listenStream(message, response) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const _meta = { "io.modelcontextprotocol/subscriptionId": message.id };
    const stream = (outgoing) =>
      outgoing === undefined
        ? response.destroy()
        : response.write(`data: ${JSON.stringify({ ...outgoing, params: { ...outgoing.params, _meta } })}\n\n`);
    stream({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true } },
    });
    this.streams.add(stream);
    response.on("close", () => this.streams.delete(stream));
  }

  /** `send` answers in the form that the server is in the habit of; `events` writes a stream of several messages. */
  makeWire(message, response) {
    const events = (...messages) => {
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      for (const each of messages)
        response.write(`data: ${typeof each === "string" ? each : JSON.stringify(each)}\n\n`);
    };
    const send = (outgoing, headers = {}) => {
      if (this.habits.has("json")) {
        const whole = typeof outgoing === "string" ? outgoing : JSON.stringify(outgoing);
        return response.writeHead(200, { "content-type": "application/json", ...headers }).end(whole);
      }
      response.writeHead(200, { "content-type": "text/event-stream", ...headers });
      events(outgoing);
      return response.end();
    };
    return { send, events, response };
  }
}
