import { WorkerEntrypoint } from "cloudflare:workers";
import { assembleRealm, type ScriptRealm } from "../../../runtime/sandbox/realm/assemble-realm.ts";
import { gatherSharedGlobals } from "../../../runtime/sandbox/realm/compartment.ts";
import { makeKnownProxies } from "../../../runtime/sandbox/realm/shims/known-proxies.ts";
import { printStacks } from "../../../runtime/sandbox/realm/shims/print-stacks.ts";
import { formatFrame, splitFrame, type RunBody, type RunHeader } from "../../../schemas/run/protocol.ts";
import { describeError } from "../../../runtime/sandbox/realm/describe-error.ts";
import { scopeOf, takeNative } from "./isolate-globals.ts";

/*
 * What an isolate holds beside the one script that it is for. It speaks the frames of the sandbox process, so that a pinned bundle and
 * the host of the calls see no difference. The isolate is the boundary: there is no SES inside, and intrinsics are the script's to change.
 */

/** Takes a frame of the isolate; the reply of a call is what it comes to. */
type Send = (text: string) => Promise<string | undefined>;

const native = takeNative();

export default class Isolate extends WorkerEntrypoint {
  /** Runs the script. Settles when the host has its result or failure. */
  async run(frame: string, send: Send): Promise<void> {
    const { header, body } = splitFrame(frame) as { header: RunHeader; body: string };
    const script = startRealm(send);
    let evaluate;
    try {
      ({ default: evaluate } = await import("codemode:script"));
    } catch (error) {
      return script.fail(error);
    }
    await script.run(evaluate, header, JSON.parse(body) as RunBody);
  }
}

interface IsolateScript {
  run(evaluate: () => unknown, header: RunHeader, body: RunBody): Promise<void>;
  fail(error: unknown): Promise<void>;
}

function startRealm(send: Send): IsolateScript {
  const sent = new Set<Promise<unknown>>();
  let evaluate: () => unknown = () => undefined;
  const scope = scopeOf(() => evaluate());
  let realm: ScriptRealm | undefined;
  let onEnd = (): void => undefined;

  const endTurn = (): void => {
    native.setTimeout(() => {
      if (realm?.run.settle() === true) return endTurn();
      if (realm?.run.hasEnded() === true) void Promise.all(sent).then(onEnd);
    }, 0);
  };
  const inTurn = (event: () => void): void => {
    event();
    endTurn();
  };
  const answer = (text: string | undefined): void => {
    if (text === undefined) return;
    const { header, body } = splitFrame(text) as { header: { id: number }; body: string };
    inTurn(() => realm?.calls.answer(header.id, body));
  };
  const sendFrame = (header: string, body?: string): void => {
    const sending = send(body === undefined ? header : `${header}\n${body}`);
    sent.add(sending);
    void sending.then(answer).finally(() => sent.delete(sending));
  };
  const timers = new Map<number, unknown>();
  const bridge = {
    send: sendFrame,
    startTimer(id: number, delayMs: number) {
      const fire = (): void => inTurn(() => realm?.timers.fire(id));
      timers.set(id, native.setTimeout(fire, delayMs));
    },
    stopTimer: (id: number) => native.clearTimeout(timers.get(id)),
    utf8Length: (text: string) => new native.TextEncoder().encode(text).length,
  };
  const { Proxy, isProxy } = makeKnownProxies();
  const powers = {
    Compartment: scope,
    harden: <Value>(value: Value) => value,
    Function,
    Proxy,
    webClasses: native.webClasses,
  };
  native.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    inTurn(() => realm?.run.rejected(event.promise, event.reason));
  });
  native.addEventListener("rejectionhandled", (event) => inTurn(() => realm?.run.handled(event.promise)));
  printStacks(Error, isProxy);
  const globals = gatherSharedGlobals(powers as never, { Date, Intl });
  realm = assembleRealm(powers as never, bridge as never, {
    ...{ globals, makeMath: () => native.Math, clock: Date.now, now: Date.now },
  });
  realm.complete(); // The adapter shares its realm with the script, and uses some of its globals.

  return {
    run(program, header, body) {
      evaluate = program;
      return new Promise((resolve) => {
        onEnd = resolve;
        inTurn(() => realm.run.start(header, body));
      });
    },
    async fail(error) {
      const kind = error instanceof SyntaxError ? "syntax" : "uncaught";
      await send(formatFrame({ type: "failure", errors: [describeError(kind, error)] }));
    },
  };
}
