import {
  type ClientCapabilities,
  type LoggingLevel,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type Implementation,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Emit, RequestEvent } from "../../schemas/run/events.ts";
import type { TraceContext } from "../../schemas/run/trace-context.ts";
import type { AskingRuns } from "../../engine/extras.ts";
import type { ClientTraits } from "../client-traits.ts";
import type { LongRuns } from "../long-runs/runs.ts";

/** Whom a call is answered for. */
export interface CallingClient {
  runs: LongRuns;
  /** Where a person can be asked outside of the client; absent where there is no such way. */
  asking: (() => Promise<AskingRuns | undefined>) | undefined;
  /** As in `Access`; empty where it has none. */
  clientName: string;
  /** Its runs wait for a person longer than this process lives. */
  isDurable: boolean;
  /** The revision 2026-07-28: a question is the result of a call, which is then sent again. */
  isModern: boolean;
  capabilities: ClientCapabilities | undefined;
  client: ClientTraits;
  logLevel: LoggingLevel | undefined;
  heartbeatMs: number;
  /** The trace that the request is part of. */
  trace: TraceContext | undefined;
  /** Receives what happens with the request. */
  emitRequest: Emit<RequestEvent> | undefined;
}

/** What a request of the revision 2026-07-28 says of its client; older clients say it once, when they connect. */
interface RequestEnvelope {
  capabilities: ClientCapabilities;
  /** Absent where the client wants no log messages. */
  logLevel?: LoggingLevel | undefined;
  /** Absent where the client does not say what it is. */
  clientInfo?: Implementation | undefined;
}

/** Undefined for a request of an older revision. The SDK has checked the parts. */
export function readEnvelope({ mcpReq }: ServerContext): RequestEnvelope | undefined {
  // The SDK types the envelope as an empty object.
  const envelope = (mcpReq.envelope ?? {}) as { [key: string]: unknown };
  if (envelope[PROTOCOL_VERSION_META_KEY] === undefined) return undefined;
  const capabilities = (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
  const logLevel = envelope[LOG_LEVEL_META_KEY] as LoggingLevel | undefined;
  const clientInfo = envelope[CLIENT_INFO_META_KEY] as Implementation | undefined;
  return {
    capabilities,
    logLevel,
    clientInfo,
  };
}
