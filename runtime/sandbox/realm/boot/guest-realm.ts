import { constants, createContext } from "node:vm";
import type { Bridge, MakeRuntime, Realm, StartRealm } from "../../../../schemas/run/bridge.ts";
import type { Programs } from "./programs.ts";

/** Makes a global without an object behind it, from which it would inherit. */
const WITHOUT_OBJECT = constants.DONT_CONTEXTIFY as unknown as object;
/** SES needs to make code from strings in its own realm; the main realm cannot (`--disallow-code-generation-from-strings`). */
const CONTEXT_OPTIONS = { name: "codemode", codeGeneration: { strings: true, wasm: false } };

/** Returns a function that runs the programs in a fresh context that has nothing of Node, and starts the realm. */
export function makeRealmStarter({ ses, realm, runtime }: Programs): (bridge: Bridge, isFirst: boolean) => Realm {
  return (bridge, isFirst) => {
    const context = createContext(WITHOUT_OBJECT, CONTEXT_OPTIONS);
    ses.runInContext(context);
    const startRealm = realm.runInContext(context) as StartRealm;
    return startRealm(bridge, runtime.runInContext(context) as MakeRuntime, isFirst);
  };
}
