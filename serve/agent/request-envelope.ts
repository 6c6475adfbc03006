import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  PROTOCOL_VERSION_META_KEY,
  type Implementation,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What a request of the revision 2026-07-28 says of its client; older clients say it once, when they connect. */
export interface RequestEnvelope {
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
