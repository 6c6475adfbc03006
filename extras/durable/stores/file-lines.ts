import { open } from "node:fs/promises";
import { unlessMissing } from "../../../engine/files.ts";
import type { TextSealer } from "../../../engine/store-plan.ts";
import { type JsonObject, parseJsonObject } from "../../../schemas/json/json.ts";
import { durableRunDamaged } from "../durable-errors.ts";

export const OWN_ONLY = 0o600;

/** In the folder of a run: what it was begun with. */
export const RUN = "run.json";

/** The file of the steps of the claim with that number. */
export const nameOf = (token: number): string => `steps.${token}.jsonl`;

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
            `line ${first + at} of ${nameOf(token)} was changed, or written with another key`,
          );
        return value;
      });
    },
  };
}

const BLOCK_BYTES = 4096;

/** With its line break; undefined where there is none, because a process was killed while it wrote the line. */
export async function readFirstLine(path: string): Promise<Buffer | undefined> {
  const file = await open(path, "r").catch(unlessMissing);
  if (file === undefined) return undefined;
  try {
    const blocks: Buffer[] = [];
    for (;;) {
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
