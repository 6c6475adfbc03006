import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { inputsInvalid } from "./batch-errors.ts";
import { decodeFile, NotUtf8 } from "../../runtime/files/decode-text.ts";
import { fileInaccessible, textUndecodable } from "../../schemas/errors.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

/** One input of a batch. */
export interface BatchInput {
  /** Of the file, from 1. */
  line: number;
  /** The line itself, which is JSON. */
  text: string;
  input: JsonValue;
}

/** JSON Lines, plain or compressed with gzip. */
export interface InputSource {
  /** How messages name it. */
  shown: string;
  /** Whether it can be opened again. */
  isFile: boolean;
  open: () => AsyncIterable<Buffer>;
  /** The part of the lines that is read; all of them unless given. */
  shard?: Shard | undefined;
}

const LINE_END = 0x0a;
const GZIP_MAGIC = [0x1f, 0x8b];
/** A line is held in memory, and copied to the sandbox. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Reads the inputs of a source one by one; blank lines are passed over.
 * @throws CodemodeError `INPUTS_INVALID` at a line that is no JSON, `FILE_INACCESSIBLE` where it cannot be read or decompressed
 */
export async function* readInputs({ shown, open, shard }: InputSource): AsyncGenerator<BatchInput> {
  let line = 0;
  try {
    for await (const lines of splitLines(await decompress(open()), MAX_LINE_BYTES)) {
      for (const bytes of lines) {
        line += 1;
        if (!isInShard(line, shard)) continue;
        const text = decodeLine(bytes, line, shown);
        if (text !== "") yield { line, text, input: parseLine(text, line, shown) };
      }
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code.startsWith("Z_")) throw fileInaccessible(shown, `after line ${line} it is no complete gzip data`);
    if (error instanceof RangeError) throw inputsInvalid(shown, line + 1, error.message);
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : fileInaccessible(shown, code);
  }
}

/**
 * Reads a whole source, so that what is wrong with it is known before anything runs.
 * @returns resolves to the number of its inputs, and SHA-256 over their lines, in hexadecimal
 */
export async function surveyInputs(source: InputSource): Promise<{ total: number; digest: string }> {
  const hash = createHash("sha256");
  let total = 0;
  for await (const { line, text } of readInputs(source)) {
    total += 1;
    hash.update(`${line} ${text}\n`);
  }
  return { total, digest: hash.digest("hex") };
}

function parseLine(text: string, line: number, shown: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw inputsInvalid(shown, line, (error as Error).message);
  }
}

function decodeLine(bytes: Buffer, line: number, shown: string): string {
  try {
    // A mark on a later line, as of files that were put together, is a blank of JavaScript: `trim` takes it off.
    return decodeFile(bytes, line).trim();
  } catch (error) {
    if (error instanceof NotUtf8) throw textUndecodable(shown, error.problem);
    throw error;
  }
}

/** Gives the lines of each chunk together: ten million of them one by one would take seconds. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer[]> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      lines.push(Buffer.concat([...begun, chunk.subarray(from, end)]));
      begun = [];
      begunBytes = 0;
      from = end + 1;
    }
    begun.push(chunk.subarray(from));
    begunBytes += chunk.length - from;
    if (lines.length > 0) yield lines;
    if (begunBytes > maxBytes) throw new RangeError(`the line is longer than ${maxBytes} bytes`);
  }
  if (begunBytes > 0) yield [Buffer.concat(begun)];
}

/** What gzip compressed is known by its first bytes, however the file is named. */
async function decompress(source: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  const whole = (async function* () {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  if (!GZIP_MAGIC.every((byte, index) => head[index] === byte)) return whole;
  // What fails is thrown to the reader of the last stream.
  return pipeline(Readable.from(whole), createGunzip(), () => undefined);
}

/** One of equal parts of a batch: part `index`, from 1, of `count`. */
export interface Shard {
  index: number;
  count: number;
}

/** Lines are dealt out in turn, so that parts of a sorted file take about as long as each other. */
export function isInShard(line: number, shard: Shard | undefined): boolean {
  return shard === undefined || (line - 1) % shard.count === shard.index - 1;
}

/** Reads `2/4`; undefined where it is no part of a whole. */
export function parseShard(text: string): Shard | undefined {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  return toShard(Number(index), Number(count));
}

/** What the variables of a scheduler say: the part of this process, or what is missing. */
type FoundShard = { by: string; shard: Shard } | { by: string; problem: string };

/**
 * The part of the work that a scheduler has given to this process; undefined where none speaks of parts. Kubernetes counts from 0 and does not say
 * how many there are, which `JOB_COMPLETIONS` has to; a Slurm array counts from its least index by its step; GitLab counts from 1.
 */
export function findShard(env: { readonly [name: string]: string | undefined }): FoundShard | undefined {
  const numberOf = (name: string, missing = NaN): number =>
    /^\d{1,9}$/.test(env[name] ?? "") ? Number(env[name]) : missing;
  const conclude = (by: string, index: number, count: number, needs: string): FoundShard => {
    const shard = toShard(index, count);
    return shard === undefined
      ? { by, problem: `${by} is set, but no part follows from it and ${needs}` }
      : { by, shard };
  };
  if (env["JOB_COMPLETION_INDEX"] !== undefined) {
    const [index, count] = [numberOf("JOB_COMPLETION_INDEX") + 1, numberOf("JOB_COMPLETIONS")];
    return conclude("JOB_COMPLETION_INDEX", index, count, "JOB_COMPLETIONS (the `completions` of the Job)");
  }
  if (env["SLURM_ARRAY_TASK_ID"] !== undefined) {
    const from = numberOf("SLURM_ARRAY_TASK_MIN", 0);
    const index = (numberOf("SLURM_ARRAY_TASK_ID") - from) / numberOf("SLURM_ARRAY_TASK_STEP", 1) + 1;
    const needs = "SLURM_ARRAY_TASK_COUNT, _MIN and _STEP";
    return conclude("SLURM_ARRAY_TASK_ID", index, numberOf("SLURM_ARRAY_TASK_COUNT"), needs);
  }
  if (env["CI_NODE_INDEX"] === undefined) return undefined;
  return conclude("CI_NODE_INDEX", numberOf("CI_NODE_INDEX"), numberOf("CI_NODE_TOTAL"), "CI_NODE_TOTAL");
}

function toShard(index: number, count: number): Shard | undefined {
  return Number.isInteger(index) && index >= 1 && index <= count ? { index, count } : undefined;
}
