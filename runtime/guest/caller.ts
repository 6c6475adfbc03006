// What the import `#caller` means in a sandbox, a browser or a worker. In Node it means node/caller.ts.

import { CodemodeError } from "./errors.ts";
import { type Caller, findRegistered } from "./registered-callers.ts";
import { findSandboxCaller } from "./sandbox-caller.ts";

/** Finds who performs the calls of a server's tools. Throws where there is nobody. */
export function findCaller(serverId: string): Caller {
  const caller = findRegistered(serverId) ?? findSandboxCaller();
  if (caller !== undefined) return caller;
  throw new CodemodeError(`No caller is set for the tools of "${serverId}".`, {
    hint: 'Run the script with `codemode run SCRIPT`, or give a caller: connect({ call }) of "@codemode/runtime/connect".',
  });
}
