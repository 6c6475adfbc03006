import { makeVault } from "../../../runtime/host/vault/vault.ts";
import { parseForeignJson } from "../../../schemas/json/foreign-json.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { FilledAudit } from "../../../schemas/config/config-file.ts";

/** What the calls of one run carry, as far as it is to be written down. */
export interface Payloads {
  ofInput(read: () => JsonValue): { input?: JsonValue | undefined };
  ofResult(read: () => JsonValue | undefined): { result?: JsonValue | undefined };
}

/** Makes the function that gives each run its own: a value that was hidden once stays hidden in what follows. */
export function makePayloads({
  payloads,
  redact,
  maxPayloadBytes,
}: Pick<FilledAudit, "payloads" | "redact" | "maxPayloadBytes">): () => Payloads {
  return () => {
    const vault = redact.length === 0 ? undefined : makeVault(redact);
    /** Undefined where it is too long, or nested so deep that masking it could fail: no server may keep its line out of the log. */
    const toWritten = (value: JsonValue): JsonValue | undefined => {
      const printed = printJson(value);
      if (printed === undefined || Buffer.byteLength(printed) > maxPayloadBytes) return undefined;
      const plain = parseForeignJson(printed);
      return plain === undefined || vault === undefined ? plain : vault.hide(plain);
    };
    return {
      ofInput(read) {
        const input = payloads === false ? undefined : toWritten(read());
        return input === undefined ? {} : { input };
      },
      ofResult(read) {
        const value = payloads === "all" ? read() : undefined;
        const result = value === undefined ? undefined : toWritten(value);
        return result === undefined ? {} : { result };
      },
    };
  };
}

function printJson(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
