import type { Bridge, Realm } from "../../schemas/run/bridge.ts";
import { formatFrame, splitFrame, type HostHeader, type RunBody, type Successor } from "../../schemas/run/protocol.ts";
import { askBridge } from "./ask-bridge.ts";
import { assembleRealm, type ScriptRealm } from "./assemble-realm.ts";
import { makeWebClasses } from "./endowments/web-classes.ts";
import { gatherSharedGlobals } from "./compartment.ts";
import { lockdownRealm } from "./lockdown.ts";
import { assembleReplayableRealm, type ReplayableRealm } from "./replayable/assemble-replayable-realm.ts";
import { makeSeededMath } from "./replayable/seeded-math.ts";
import { scrubStartGlobals } from "./scrub-start-globals.ts";
import { sesGlobals } from "./ses-globals.ts";

/** Locks the guest realm down and makes the compartment in it, ready for one script. */
export function startRealm(bridge: Bridge): Realm {
  lockdownRealm();
  const { Compartment, harden } = sesGlobals();
  const powers = { Compartment, harden, Function, webClasses: makeWebClasses(bridge) };
  const { Intl: intl } = globalThis as { Intl?: unknown };
  const globals = gatherSharedGlobals(powers, { Date, Intl: intl });
  const assemble = (makeMath: () => Math): ScriptRealm =>
    assembleRealm(powers, bridge, { globals, makeMath, clock: Date.now, now: Date.now });
  let realm = assemble(() => Math);
  realm.complete(); // There is time before the first script comes; later ones are waited for.
  realm.run.warmUp();
  /** Replaces the ordinary realm if the host requests a repeatable run; created on demand, so it costs other runs nothing. */
  let replayable: ReplayableRealm | undefined;
  let successor: Successor | undefined;
  scrubStartGlobals();

  /** Replaces the realm of a script that has left nothing behind: the next script gets new objects. */
  const rest = ({ seed }: Successor): void => {
    successor = undefined;
    realm.timers.stopGuards();
    const isClean = realm.run.hasLeftNothing();
    if (isClean) {
      realm.close();
      askBridge(bridge.forgetStreams);
      realm = assemble(() => makeSeededMath(seed));
    }
    askBridge(bridge.send, formatFrame({ type: "rested", isClean }));
  };

  return {
    receive(frame) {
      const { header, body } = splitFrame(frame) as { header: HostHeader; body: string };
      if (header.type === "run") {
        ({ successor } = header);
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
        if (realm.run.settle() || replayable?.handleNext() === true) return true;
        // What the printing of the result has set off has its turn first.
        return successor !== undefined && realm.run.hasEnded();
      }
      if (successor !== undefined) rest(successor);
      return false;
    },
  };
}
