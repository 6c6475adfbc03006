import { createHash } from "node:crypto";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { toRunId } from "../../engine/run-id.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";

/**
 * A key of a client is for one run of its project, in each process alike.
 * @param scope the project, where others use the same store
 */
export function idOfKey(key: string, client = "", scope?: string): string {
  const named = scope === undefined ? [client, key] : [client, key, scope];
  return toRunId(createHash("sha256").update(JSON.stringify(named)).digest());
}

/** What a run is to do, as far as its script alone says. */
export function workOf({ script, input = null }: DurableRequest): string {
  return integrityOf([script.name, script.code, input]);
}
