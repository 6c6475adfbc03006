import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { NotReadable, readStateFile, unlessMissing } from "../../../engine/files.ts";
import type { TextSealer } from "../../../engine/store-plan.ts";
import { type JsonObject, parseJsonObject } from "../../../schemas/json/json.ts";
import { durableRunDamaged } from "../durable-errors.ts";

export const OWN_ONLY = 0o600;

/** In the folder of a run: what it was begun with. */
export const RUN = "run.json";

/** The file of the steps of the claim with that number. */
export const stepsFile = (token: number): string => `steps.${token}.jsonl`;

export type Lines = ReturnType<typeof makeLines>;

/** The lines of files of steps; with a key each is encrypted, and can be read at no other place. */
export function makeLines(texts: TextSealer) {
  const placeOf = (id: string, token: number, line: number): string => `step/${id}/${token}/${line}`;
  return {
    print(id: string, token: number, line: number, value: object): string {
      return `${texts.seal(placeOf(id, token, line), JSON.stringify(value))}\n`;
    },
    /** @param first the number of the first of these lines in their file */
    parse(id: string, token: number, bytes: Buffer, first = 1): JsonObject[] {
      const lines = bytes.toString().split("\n").slice(0, -1);
      return lines.map((line, at) => {
        const value = parseJsonObject(texts.open(placeOf(id, token, first + at), line) ?? "");
        if (value === undefined)
          throw durableRunDamaged(
            id,
            `line ${first + at} of ${stepsFile(token)} was changed, or written with another key`,
          );
        return value;
      });
    },
  };
}

/**
 * Reads a file of a run; undefined where there is none.
 * @throws CodemodeError `RUN_DAMAGED` where it is no regular file
 */
export async function readRunFile(folder: string, id: string, name: string): Promise<Buffer | undefined> {
  return readStateFile(join(folder, id, name)).catch((error: unknown) => {
    throw error instanceof NotReadable ? toDamaged(id, name, error) : error;
  });
}

function toDamaged(id: string, name: string, { message }: NotReadable): Error {
  return durableRunDamaged(id, `${name}: ${message}`);
}

const BLOCK_BYTES = 4096;
/** It names the files before it. */
const LONGEST_FIRST_LINE = 16 * 1024 * 1024;

/**
 * With its line break; undefined where there is none, because a process was killed while it wrote the line.
 * @throws CodemodeError as `readRunFile`
 */
export async function readFirstLine(folder: string, id: string, name: string): Promise<Buffer | undefined> {
  // An open of a pipe would wait for a writer.
  const opening = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const file = await open(join(folder, id, name), opening).catch(unlessMissing);
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw toDamaged(id, name, new NotReadable());
    const blocks: Buffer[] = [];
    for (;;) {
      if (blocks.length * BLOCK_BYTES > LONGEST_FIRST_LINE)
        throw toDamaged(id, name, new NotReadable(LONGEST_FIRST_LINE));
      const { bytesRead, buffer } = await file.read(Buffer.alloc(BLOCK_BYTES));
      const end = buffer.subarray(0, bytesRead).indexOf("\n");
      blocks.push(buffer.subarray(0, end < 0 ? bytesRead : end + 1));
      if (end >= 0) return Buffer.concat(blocks);
      if (bytesRead === 0) return undefined;
    }
  } finally {
    await file.close();
  }
}
