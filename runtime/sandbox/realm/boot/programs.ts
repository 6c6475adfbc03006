import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { BUNDLE_URL } from "../../../../schemas/run/bundle.ts";

/** The programs of a sandbox process, compiled. */
export interface Programs {
  /** The main realm's. */
  main: Script;
  ses: Script;
  /** The guest realm's. */
  realm: Script;
  /** What makes the runtime of the bindings in it. */
  runtime: Script;
}

const LENGTH_BYTES = 4;

/**
 * Compiles the programs. They are plain scripts without `importModuleDynamically`, so an `import()` that got past every filter would still
 * find no loader.
 */
export function loadPrograms(cacheFile: string): Programs {
  const folder = dirname(process.argv[1] ?? "");
  const [main, ses, realm, runtime] = readCompileCache(cacheFile);
  return {
    main: compile(join(folder, "main.js"), "codemode:main", main),
    ses: compile(join(folder, "ses.js"), "codemode:ses", ses),
    realm: compile(join(folder, "realm.js"), "codemode:realm", realm),
    // In stacks it is a part of the bundle, as it would be if the bundle had it.
    runtime: compile(join(folder, "runtime.js"), BUNDLE_URL, runtime),
  };
}

/** The compiled code of each program, after its length. */
function readCompileCache(file: string): Buffer[] {
  try {
    const bytes = readFileSync(file);
    const parts = [];
    for (let start = 0; start < bytes.length;) {
      const end = start + LENGTH_BYTES + bytes.readUInt32LE(start);
      parts.push(bytes.subarray(start + LENGTH_BYTES, end));
      start = end;
    }
    return parts;
  } catch {
    return []; // Without a complete cache, V8 compiles again.
  }
}

/** The build has left nothing but ASCII in the programs, which V8 holds and reads at half the cost. */
function compile(file: string, name: string, cachedData: Buffer | undefined): Script {
  return new Script(readFileSync(file, "latin1"), { filename: name, ...(cachedData && { cachedData }) });
}
