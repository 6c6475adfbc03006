import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { perLockfile } from "../../schemas/lock/per-lockfile.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import type { SavedScript } from "../../schemas/run/saved-script.ts";
import { fillTemplate } from "./fill-template.ts";
import { printTypes } from "./print-types.ts";
import { printScriptIndex } from "./script-index.ts";
import { countTools } from "../servers-in-order.ts";

const DEFAULT_TEMPLATE = `Runs one ES module (TypeScript or JavaScript, top-level await) in a fresh sandbox and returns its logs, result and diagnostics. Tools of MCP servers are imported as async functions of one object:

import { toolName } from "@codemode/servers/<serverId>";
globalThis.__codemode_result__ = await toolName({ … });

Do loops, filters and joins in the script and return only what is needed.

{{types}}`;

/** Describes the run tool to an agent that sees these tools and saved scripts. */
export type DescribeRunTool = (lockfile: Lockfile, scripts: readonly SavedScript[]) => string;

/** Makes what the description of the run tool says, which is all that many clients show to the model. */
export function makeRunToolDescription(settings: ServeSettings, finding: string): DescribeRunTool {
  const known = perLockfile(() => new Map<string, string>());
  return (lockfile, scripts) => {
    const index = printScriptIndex(scripts);
    const description = known(lockfile).get(index) ?? describeRunTool(lockfile, index, settings, finding);
    known(lockfile).set(index, description);
    return description;
  };
}

function describeRunTool(lockfile: Lockfile, scripts: string, settings: ServeSettings, finding: string): string {
  const count = countTools([...lockfile.servers.values()]);
  // If another tool shows signatures, the description contains them only on request.
  const tokens = settings.typesBudget ?? (settings.surface === "run" ? undefined : 0);
  const template = settings.description ?? DEFAULT_TEMPLATE;
  const types = printTypes(lockfile, { tokens, finding, reserved: estimateTokens(scripts) });
  return fillTemplate(template, { count, types: scripts === "" ? types : `${types}\n\n${scripts}` });
}
