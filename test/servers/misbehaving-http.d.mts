import type { IncomingHttpHeaders } from "node:http";

export interface MisbehavingHttp {
  readonly url: string;
  readonly port: number;
  readonly habits: Set<string>;
  readonly received: { method: string; headers: IncomingHttpHeaders; message?: { [key: string]: unknown } }[];
  readonly sessions: Set<string>;
  readonly streams: Set<unknown>;
  readonly open: Set<unknown>;
  tools: unknown[];
  guard:
    | ((token: string | undefined, message: { [key: string]: unknown } | undefined) => Promise<Fault | undefined>)
    | undefined;
  resourceMetadata: { [key: string]: unknown } | undefined;
  listen(port: number): Promise<void>;
  close(): Promise<void>;
  forgetSessions(): void;
  announce(method?: string): void;
  breakStreams(): void;
}

/** Why a request is refused. */
export interface Fault {
  status: 401 | 403;
  challenge: string;
}

export function startMisbehavingHttp(...habits: string[]): Promise<MisbehavingHttp>;
