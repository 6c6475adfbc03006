// What the tools of the misbehaving server do, by name: (request id, params, the wire) → nothing.

import { closeSync, existsSync } from "node:fs";

const text = (value) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});
const changed = { method: "notifications/tools/list_changed" };

export const toolCalls = {
  echo: (id, { arguments: input }, { send }) => send({ id, result: text(input ?? "nothing") }),
  environment: (id, _params, { send }) => send({ id, result: text(process.env) }),
  "cwd-and-args": (id, _params, { send }) => send({ id, result: text({ cwd: process.cwd(), args: process.argv }) }),

  // results
  return: (id, { arguments: result }, { send }) => send({ id, result }),
  raw: (id, _params, { send }) =>
    send({ id, result: { content: [{ type: "video", extra: 1 }], structuredContent: [1], isError: true, vendor: 1 } }),
  proto: (id, _params, { write }) =>
    write(
      `{"jsonrpc":"2.0","id":${id},"result":{"__proto__":{"polluted":1},"content":[],"structuredContent":{"__proto__":{"polluted":2}}}}`,
    ),
  big: (id, { arguments: { bytes } }, { send }) => send({ id, result: text("x".repeat(bytes)) }),
  "big-id-last": (id, { arguments: { bytes } }, { write }) =>
    write(JSON.stringify({ result: text("x".repeat(bytes)), jsonrpc: "2.0", id })),

  // answers that break JSON-RPC
  "bare-answer": (id, _params, { write }) =>
    write(JSON.stringify({ id, result: { ...text("hi"), _meta: null }, extra: 1 })),
  batch: (id, _params, { write }) => write(JSON.stringify([changed, { jsonrpc: "2.0", id, result: text("hi") }])),
  "no-object": (id, _params, { send }) => send({ id, result: 5 }),
  "no-result": (id, _params, { send }) => send({ id }),
  "rpc-error": (id, _params, { send }) =>
    send({ id, error: { code: -32000, message: `boom ${process.env.TOKEN}\n\u001b[31mred`, data: { x: 1 } } }),
  "odd-error": (id, _params, { send }) => send({ id, error: "boom" }),

  "other-type-of-id": (id, _params, { send }) => send({ id: String(id), result: text("taken for the answer") }),

  // timing
  steps: (id, { arguments: { steps, stepMs, quiet }, _meta }, { send }) => {
    let step = 0;
    const work = setInterval(() => {
      step += 1;
      if (!quiet) {
        send({ method: "notifications/progress", params: { progressToken: _meta.progressToken, progress: step } });
      }
      if (step < steps) return;
      clearInterval(work);
      send({ id, result: text("done") });
    }, stepMs);
  },
  "rpc-elicitation": (id, _params, { send }) =>
    send({ id, error: { code: -32603, message: "Client does not support form elicitation." } }),
  hang: () => undefined,
  late: (id, { arguments: { delayMs } }, { send }) => setTimeout(() => send({ id, result: text("late") }), delayMs),
  twice: (id, _params, { send }) => [1, 2].forEach((count) => send({ id, result: text(`answer ${count}`) })),
  progress: (id, { arguments: { count, batch }, _meta }, { write }) => {
    const reports = Array.from({ length: count }, (_, index) => ({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: _meta.progressToken, progress: index + 1, total: count },
    }));
    const messages = [...reports, { jsonrpc: "2.0", id, result: text("done") }];
    // One write, so that all of it arrives together.
    write(batch ? JSON.stringify(messages) : messages.map((message) => JSON.stringify(message)).join("\n"));
  },
  "change-burst": (id, _params, { send }) => {
    for (let count = 0; count < 10; count += 1) send(changed);
    send({ id, result: text("changed") });
  },

  // ends
  crash: () => process.exit(3),
  "kill-itself": () => process.kill(process.pid, "SIGKILL"),
  "answer-and-exit": (id, _params, { write }) =>
    write(JSON.stringify({ id, result: text("last words") })) && process.exit(0),
  "close-stdout": () => process.stdout.end(),
  "close-stdin": (id, _params, { send }) => {
    send({ id, result: text("not listening any more") });
    closeSync(0);
    setInterval(() => undefined, 1_000);
  },
  "ask-without-listening": async (id, { arguments: { questions } }, { send, received, stopListening, listenAgain }) => {
    stopListening();
    const question = `${JSON.stringify({ jsonrpc: "2.0", id: "question", method: "ping" })}\n`;
    for (let asked = 0; asked < questions; asked += 1_000) {
      await new Promise((resolve) => process.stdout.write(question.repeat(1_000), resolve));
    }
    listenAgain();
    const count = () => received.filter((message) => message.id === "question").length;
    let answers = -1;
    const poll = setInterval(() => {
      if (count() > answers) return void (answers = count());
      clearInterval(poll);
      return send({ id, result: text({ answers }) });
    }, 100);
  },
  deaf: (id, _params, { send, stopListening }) => {
    stopListening();
    setInterval(() => undefined, 1_000); // a paused stdin would let the process end
    send({ id, result: text("not listening any more") });
  },

  // questions to a person
  ask: (id, { arguments: { questions } }, { send, received }) => {
    const asked = questions.map((_, at) => `${id}-${at}`);
    questions.forEach((params, at) => send({ id: asked[at], method: "elicitation/create", params }));
    const poll = setInterval(() => {
      const answers = asked.map((each) => received.find((message) => message.id === each)?.result);
      if (answers.includes(undefined)) return;
      clearInterval(poll);
      send({ id, result: { ...text(answers), isError: answers.some(({ action }) => action !== "accept") } });
    }, 5);
  },
  "ask-after-answer": (id, { arguments: { question } }, { send }) => {
    send({ id, result: text("asking") });
    send({ id: "late", method: "elicitation/create", params: question });
  },
  "ask-after-cancel": (id, { arguments: { question } }, { send, received }) => {
    const poll = setInterval(() => {
      if (!received.some(({ method }) => method === "notifications/cancelled")) return;
      clearInterval(poll);
      send({ id: "late", method: "elicitation/create", params: question });
    }, 5);
  },
  "ask-and-answer": (id, { arguments: { question, until } }, { send }) => {
    send({ id: "open", method: "elicitation/create", params: question });
    const looking = setInterval(() => {
      if (!existsSync(until)) return;
      clearInterval(looking);
      send({ id, result: text("not waiting") });
    }, 5);
  },
  "log-burst": (id, { arguments: { count } }, { send }) => {
    for (let at = 0; at < count; at += 1) {
      send({ method: "notifications/message", params: { level: "info", logger: "x", data: `line\n${at}` } });
    }
    send({ id, result: text("logged") });
  },
  "open-page-first": (id, { arguments: { url } }, { send, received }) => {
    const isAgain = received.filter(({ params }) => params?.name === "open-page-first").length > 1;
    if (isAgain) return send({ id, result: text("opened") });
    const elicitations = [{ mode: "url", message: "Log in", elicitationId: "1", url }];
    return send({ id, error: { code: -32042, message: "Open it", data: { elicitations } } });
  },

  // the other direction
  received: (id, _params, { send, received }) => send({ id, result: text(received) }),
  "ask-client": (id, _params, { send, received }) => {
    send({ id: "roots", method: "roots/list" });
    send({ id: "sampling", method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } });
    send({ id: "elicitation", method: "elicitation/create", params: { message: "password?", requestedSchema: {} } });
    send({ id: "ping", method: "ping" });
    send({ id: "unknown", method: "no/such" });
    send({ id: "array-params", method: "roots/list", params: [] });
    send({ id: "bad-meta", method: "roots/list", params: { _meta: { progressToken: {} } } });
    const wanted = 7;
    const poll = setInterval(() => {
      const answers = received.filter((message) => message.method === undefined);
      if (answers.length < wanted) return;
      clearInterval(poll);
      send({ id, result: text(answers) });
    }, 5);
  },
};
