import type { ClientCapabilities, LoggingLevel, RequestStateCodec } from "@modelcontextprotocol/server";
import type { RequestObservation, TraceContext } from "../../schemas/run/observer.ts";
import type { ConsentDesk } from "../approvals/consent-desk.ts";
import type { ClientTraits } from "../client-traits.ts";
import type { LongRuns } from "../long-runs/runs.ts";
import type { ApprovalState, ApprovalStates } from "./approval-states.ts";

/** Whom a call is answered for. */
export interface Caller {
  approvals: ApprovalStates;
  runs: LongRuns;
  codec: RequestStateCodec<ApprovalState>;
  /** Where a person can be asked outside of the client; absent where there is no such way. */
  desk: ConsentDesk | undefined;
  /** As in `Access`; empty where it has none. */
  clientName: string;
  /** The revision 2026-07-28: a question is the result of a call, which is then sent again. */
  isModern: boolean;
  capabilities: ClientCapabilities | undefined;
  client: ClientTraits;
  logLevel: LoggingLevel | undefined;
  heartbeatMs: number;
  /** The trace that the request is part of. */
  trace: TraceContext | undefined;
  observation: RequestObservation | undefined;
}
