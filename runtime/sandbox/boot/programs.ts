import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants, createContext, Script } from "node:vm";
import type { StartRealm } from "../../../schemas/run/bridge.ts";

/** Makes a global without an object behind it, from which it would inherit. */
const WITHOUT_OBJECT = constants.DONT_CONTEXTIFY as unknown as object;
/** SES needs to make code from strings in its own realm; the main realm cannot (`--disallow-code-generation-from-strings`). */
const CONTEXT_OPTIONS = { name: "codemode", codeGeneration: { strings: true, wasm: false } };

/** The two programs of the guest realm, compiled. */
export interface Programs {
  ses: Script;
  realm: Script;
  /** Runs both in a fresh context that has nothing of Node, and starts the realm. */
  startRealm: StartRealm;
}

/**
 * Compiles SES and the realm's program. They are plain scripts without `importModuleDynamically`, so an `import()` that got past every
 * filter would still find no loader.
 */
export function loadPrograms(cacheFile: string): Programs {
  const folder = dirname(process.argv[1] ?? "");
  const cache = readCompileCache(cacheFile);
  const ses = compile(join(folder, "ses.js"), "codemode:ses", cache?.ses);
  const realm = compile(join(folder, "realm.js"), "codemode:realm", cache?.realm);
  return {
    ses,
    realm,
    startRealm(bridge, isFirst) {
      const context = createContext(WITHOUT_OBJECT, CONTEXT_OPTIONS);
      ses.runInContext(context);
      return (realm.runInContext(context) as StartRealm)(bridge, isFirst);
    },
  };
}

/** What V8 has compiled so far, for the next start: the first program's length (four bytes), then both. */
export function createCompileCache({ ses, realm }: Programs): Buffer {
  const first = ses.createCachedData();
  const length = Buffer.alloc(4);
  length.writeUInt32LE(first.length);
  return Buffer.concat([length, first, realm.createCachedData()]);
}

function readCompileCache(file: string): { ses: Buffer; realm: Buffer } | undefined {
  try {
    const bytes = readFileSync(file);
    const end = 4 + bytes.readUInt32LE();
    return { ses: bytes.subarray(4, end), realm: bytes.subarray(end) };
  } catch {
    return undefined; // Without a complete cache, V8 compiles again.
  }
}

/** The build has left nothing but ASCII in the programs, which V8 holds and reads at half the cost. */
function compile(file: string, name: string, cachedData: Buffer | undefined): Script {
  return new Script(readFileSync(file, "latin1"), { filename: name, ...(cachedData && { cachedData }) });
}
