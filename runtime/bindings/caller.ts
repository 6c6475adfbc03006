// What the import `#caller` means in a sandbox, a browser or a worker. In Node it means node/caller.ts.

import { CodemodeError } from "./errors.ts";
import { type Caller, findRegistered } from "./registered-callers.ts";
import { findSandboxCaller } from "./sandbox-caller.ts";

/** Finds the caller for the tools of a server. Throws `CodemodeError` if there is none. */
export function findCaller(serverId: string): Caller {
  const caller = findRegistered(serverId) ?? findSandboxCaller();
  if (caller !== undefined) return caller;
  throw new CodemodeError(`No caller is set for the tools of "${serverId}".`, {
    hint: 'Run the script with `codemode run SCRIPT`, or give a caller: connect({ call }) of "@codemode/runtime/connect".',
  });
}
