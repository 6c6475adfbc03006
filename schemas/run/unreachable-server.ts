import type { Diagnostic } from "./answer.ts";

/** What a person reads of a server that does not start; the reason may have the last words of its program, and paths of this machine. */
export function sayUnreachable(serverId: string, reason: string): string {
  return `The server "${serverId}" could not be reached: ${reason}.`;
}

const WITH_REASON = /^(The server "[^"]*" could not be reached): /;

/** The same finding for an agent, without the reason. */
export function withoutReason(found: Diagnostic): Diagnostic {
  const said = found.code === "SERVER_UNAVAILABLE" ? WITH_REASON.exec(found.message)?.[1] : undefined;
  return said === undefined ? found : { ...found, message: `${said}.` };
}
