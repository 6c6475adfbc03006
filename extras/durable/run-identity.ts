import { createHash } from "node:crypto";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { toRunId } from "../../engine/run-id.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";

/** A key of the caller's is for one run, in each process alike. */
export function idOfKey({ access: { client = "" }, key = "" }: DurableRequest): string {
  return toRunId(
    createHash("sha256")
      .update(JSON.stringify([client, key]))
      .digest(),
  );
}

/** What a run is to do. */
export function workOf({ script, input = null }: DurableRequest): string {
  return integrityOf([script.name, script.code, input]);
}
