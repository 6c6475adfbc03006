import { loadPrograms, type Programs } from "./programs.ts";

/*
 * The entry of a sandbox process: `boot.cjs CACHE-FILE [--print-cache]`. V8 compiles this file at every start, so it does nothing but load
 * the programs, which come from the cache.
 */

/** `require`, because the program is a plain script. */
type StartMain = (require: NodeJS.Require, programs: Programs, mode: string | undefined) => void;

const [cacheFile = "", mode] = process.argv.slice(2);
const programs = loadPrograms(cacheFile);
(programs.main.runInThisContext() as StartMain)(require, programs, mode);
