import type { Bridge, MakeRuntime, Realm, Settled } from "../../../schemas/run/bridge.ts";
import { formatFrame, splitFrame, type HostHeader, type Renewal, type RunBody } from "../../../schemas/run/protocol.ts";
import { askBridge } from "./ask-bridge.ts";
import { assembleRealm, type ScriptRealm } from "./assemble-realm.ts";
import { makeWebClasses } from "./endowments/web-classes.ts";
import { gatherSharedGlobals } from "./compartment.ts";
import { lockdownRealm } from "./lockdown.ts";
import { assembleReplayableRealm, type ReplayableRealm } from "./replayable/assemble-replayable-realm.ts";
import { makeSeededMath } from "./replayable/seeded-math.ts";
import { sesGlobals } from "./ses-globals.ts";

/** Locks the guest realm down and makes the compartment in it, ready for one script. */
export function startRealm(bridge: Bridge, makeRuntime: MakeRuntime, isFirst: boolean): Realm {
  const { Proxy } = lockdownRealm();
  const { Compartment, harden } = sesGlobals();
  const powers = { Compartment, harden, Function, Proxy, makeRuntime, webClasses: makeWebClasses(bridge) };
  const { Intl: intl } = globalThis as { Intl?: unknown };
  const globals = gatherSharedGlobals(powers, { Date, Intl: intl });
  const assemble = (makeMath: (seed: readonly number[]) => Math): ScriptRealm =>
    assembleRealm(powers, bridge, { globals, makeMath, clock: Date.now, now: Date.now });
  let realm = assemble(isFirst ? () => Math : makeSeededMath);
  if (isFirst) {
    realm.complete(); // Before the first script there is time for this; later runs would wait for it.
    realm.run.warmUp();
  }
  /** Replaces the ordinary realm if the host requests a repeatable run; created on demand, so it costs other runs nothing. */
  let replayable: ReplayableRealm | undefined;
  let renewal: Renewal | undefined;
  scrubStartGlobals();

  /** Replaces what a script had that has left nothing behind: the next script gets new objects. */
  const renew = (what: Renewal): Settled => {
    renewal = undefined;
    replayable = undefined;
    realm.timers.stopGuards();
    const isClean = realm.run.hasLeftNothing();
    if (isClean) {
      realm.close();
      askBridge(bridge.forgetStreams);
      if (what === "realm") return "spent";
      realm = assemble(makeSeededMath);
    }
    askBridge(bridge.send, formatFrame({ type: "reset", isClean }));
    return "resting";
  };

  return {
    receive(frame) {
      const { header, body } = splitFrame(frame) as { header: HostHeader; body: string };
      if (header.type === "run") {
        renewal = header.renew;
        if (header.replayable !== undefined)
          realm = replayable = assembleReplayableRealm(powers, bridge, header.replayable);
        realm.run.start(header, JSON.parse(body) as RunBody);
      } else if (replayable !== undefined) replayable.receive(header, body);
      else if (header.type === "reply") realm.calls.answer(header.id, body);
    },
    fireTimer: (id) => realm.timers.fire(id),
    rejected: (promise, reason) => realm.run.rejected(promise, reason),
    handled: (promise) => realm.run.handled(promise),
    uncaught: (error) => realm.run.uncaught(error),
    settle() {
      if (!realm.run.hasEnded()) {
        if (realm.run.settle() || replayable?.handleNext() === true) return "again";
        // Code that the printing of the result has scheduled runs first.
        return renewal !== undefined && realm.run.hasEnded() ? "again" : "resting";
      }
      return renewal === undefined ? "resting" : renew(renewal);
    },
  };
}

/** Globals that the start of the realm needs and that scripts must not find. */
const POWERS = [
  ...["WebAssembly", "SharedArrayBuffer", "Atomics", "console", "eval", "Function", "WeakRef", "FinalizationRegistry"],
  ...[
    "Compartment",
    "ModuleSource",
    "lockdown",
    "repairIntrinsics",
    "hardenIntrinsics",
    "harden",
    "assert",
    "getStackString",
  ],
  ...["HandledPromise", "DisposableStack", "AsyncDisposableStack", "ShadowRealm", "gc"],
];

/** Takes the powers of the realm's own global object away: behind the compartment there is nothing to find either. */
function scrubStartGlobals(): void {
  for (const name of POWERS) Reflect.deleteProperty(globalThis, name);
}
