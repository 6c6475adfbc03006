import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import type { SavedScript } from "../../schemas/run/saved-script.ts";
import { fillTemplate } from "./fill-template.ts";
import { printTypes } from "./print-types.ts";
import { costOf, type Room, without } from "./room.ts";
import { printScriptIndex } from "./script-index.ts";
import { countTools } from "../servers-in-order.ts";

const BEGINNING = `Runs one ES module (TypeScript or JavaScript, top-level await) in a fresh sandbox and returns its logs, result and diagnostics. Tools of MCP servers are imported as async functions of one object:

import { toolName } from "@codemode/servers/<serverId>";
globalThis.__codemode_result__ = await toolName({ … });

Do loops, filters and joins in the script and return only what is needed.`;

const CONTINUES = " A long run first answers with a runId: call again with it.";

/** What clients show of a description: Claude Code cuts at 4,096 characters, and before 2.1.300 at 2,048. */
const LONGEST: Room = { chars: 4000, tokens: 1000 };
/** With the schemas of the tool, a list of tools without signatures stays under 1,000 tokens. */
const INDEX_END: Room = { chars: 1800, tokens: 560 };

/** The least that the index gets, however long a configured template is. */
const LEAST_INDEX: Room = { chars: 800, tokens: 250 };

/** Describes the run tool to an agent that sees these tools and saved scripts. */
export type DescribeRunTool = (lockfile: Lockfile, scripts: readonly SavedScript[]) => string;

/** Makes what the description of the run tool says, which is all that many clients show to the model. */
export function makeRunToolDescription(settings: ServeSettings, finding: string): DescribeRunTool {
  const known = memoizeByLockfile(() => new Map<string, string>());
  return (lockfile, scripts) => {
    const index = printScriptIndex(scripts);
    const description = known(lockfile).get(index) ?? describeRunTool(lockfile, index, settings, finding);
    known(lockfile).set(index, description);
    return description;
  };
}

function describeRunTool(lockfile: Lockfile, scripts: string, settings: ServeSettings, finding: string): string {
  const count = countTools([...lockfile.servers.values()]);
  const continues = settings.detachAfterMs > 0 ? CONTINUES : "";
  const template = settings.description ?? `${BEGINNING}${continues}\n\n{{types}}`;
  const [before = ""] = template.split("{{types}}", 1);
  const types = printTypes(lockfile, {
    finding,
    scripts,
    indexRoom: atLeast(LEAST_INDEX, without(INDEX_END, costOf(before))),
    room: without(LONGEST, costOf(template)),
    // If another tool shows signatures, the description contains them only on request.
    signatureTokens: settings.typesBudget ?? (settings.surface === "run" ? undefined : 0),
  });
  return fillTemplate(template, { count, types });
}

function atLeast(least: Room, room: Room): Room {
  return { chars: Math.max(least.chars, room.chars), tokens: Math.max(least.tokens, room.tokens) };
}
