import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { isLongerThan } from "../../schemas/json/utf8.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { cutJson } from "./cut-json.ts";
import { printSketch, printType } from "./print-shape.ts";
import { KEPT_MINUTES, type ResultShelf } from "./result-shelf.ts";
import { scanJson } from "./scan-json.ts";
import { takeMedia } from "./take-media.ts";

/** What becomes of the result of one run on its way to an agent. */
export interface ServedResult {
  /** Of a result's JSON text: what the answer holds of it; undefined where it is no JSON. */
  read(json: string): JsonValue | undefined;
  /** What is to be said of it. */
  findings(): Diagnostic[];
  /** Images and sounds that were in it, as content blocks of MCP, in the order of their placeholders. */
  media(): readonly JsonObject[];
}

export interface ServedResultOptions {
  shelf: ResultShelf;
  session: string;
  /** Of the JSON text. */
  maxBytes: number;
  /** Whether images and sounds go beside the answer. */
  takesMedia: boolean;
}

/** A beginning for a look at the data; a model reads some 700 tokens of it. */
const BEGINNING_LENGTH = 2048;

export function makeServedResult({ shelf, session, maxBytes, takesMedia }: ServedResultOptions): ServedResult {
  const findings: Diagnostic[] = [];
  let media: readonly JsonObject[] = [];
  return {
    read(json) {
      const scan = scanJson(json);
      if (scan === undefined) return undefined;
      const taken = takesMedia ? takeMedia(json, scan.media) : { json, blocks: [] };
      media = taken.blocks;
      try {
        if (!isLongerThan(taken.json, maxBytes, Buffer.byteLength)) return JSON.parse(taken.json) as JsonValue;
        const beginning = JSON.parse(cutJson(taken.json, Math.min(BEGINNING_LENGTH, maxBytes))) as JsonValue;
        const bytes = Buffer.from(json);
        const id = shelf.keep(session, bytes, printType(scan.shape));
        const isShared = shelf.mostShared === undefined || bytes.length <= shelf.mostShared;
        findings.push(describeKept(id, { bytes: bytes.length, maxBytes, sketch: printSketch(scan.shape), isShared }));
        return beginning;
      } catch {
        return undefined; // A string of it is broken.
      }
    },
    findings: () => findings,
    media: () => media,
  };
}

function describeKept(
  id: string,
  { bytes, maxBytes, sketch, isShared }: { bytes: number; maxBytes: number; sketch: string; isShared: boolean },
): Diagnostic {
  const whole = `import previous from "@codemode/results/${id}";`;
  return {
    severity: "warning",
    code: "RESULT_TRUNCATED",
    message: `The result has ${bytes} bytes, more than maxResultBytes (${maxBytes}): "result" is its beginning only. All of it is kept for ${KEPT_MINUTES} minutes${isShared ? "" : ", in the one process that ran the script"}: ${sketch}`,
    hint: isShared
      ? `Do not run the script again: import the whole result in the next one, and return less of it: ${whole}`
      : `Return less of it. The next script may run in another process, which does not have it: ${whole}`,
  };
}
