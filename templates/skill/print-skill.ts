import type { LockedServer, Lockfile } from "../../schemas/lock/lockfile.ts";
import { countOf } from "../../schemas/text/count-of.ts";

/** The name of the skill, and of its folder. */
export const SKILL_NAME = "codemode";

/** What keeps the text short with many servers. */
const MOST_SERVERS = 40;
const MOST_DETAILED = 12;
const MOST_TOOLS = 3;
const LONGEST_NAME = 48;

/** What a skill says at its top, see agentskills.io: when to use it, for a reader who sees nothing else of it. */
export function describeSkill(lockfile: Lockfile): string {
  const names = listServers(lockfile).map(({ id }) => id);
  return `Call the tools of this project's MCP servers (${someOf(names, 20)}) from TypeScript, in a sandbox, through the shell command codemode. Use it when a task needs one of these servers, and above all when it needs many calls, or only a part of a large result.`;
}

/**
 * The skill for agents with a shell, as the text of `SKILL.md`. Ids of servers and names of tools are the only words from outside, and only
 * plain identifiers.
 * @param command what starts codemode in a shell, in the project's folder or below
 */
export function printSkill(lockfile: Lockfile, command: string): string {
  const servers = listServers(lockfile);
  const first = servers.find(({ tools }) => tools.length > 0);
  const [server, tool] = [first?.id ?? "server", first?.tools[0] ?? "tool"];
  return `---
name: ${SKILL_NAME}
description: ${JSON.stringify(describeSkill(lockfile))}
---

# codemode

One script does what would otherwise take many tool calls: loops, joins and filters happen inside of it, and only its result comes back.

Servers of this project:

${printServers(servers)}

## Commands

Run them in the project's folder or below.

\`\`\`sh
${command} search "read a file"
${command} types ${server}${first === undefined ? "" : `/${tool}`}
${command} check task.ts
${command} run --frozen task.ts
${command} run --frozen task.ts --input '{"limit": 2}'
\`\`\`

- \`search\` finds tools by what they do: a verb and a noun. It prints their signatures.
- \`types\` prints the input and output types of a tool, or of a whole server.
- \`check\` type-checks a script, and says what it may call and what the policy says to that. It runs nothing.
- \`run\` prints the result as JSON on stdout, and logs on stderr. It ends with 1 if the script failed; the error has a hint.
- With \`--frozen\`, \`run\` ends with 3 and runs nothing if a tool that the script uses has changed since a person reviewed it. Tell the user: they decide with \`codemode diff\` and \`codemode lock\`.

## Scripts

An ES module in TypeScript or JavaScript with top-level await. The default export is the result. For example \`task.ts\`:

\`\`\`ts
import { searchTools } from "@codemode/discovery";
// Tools of a server: import { ${tool} } from "@codemode/servers/${server}";

const { limit = 5 } = (globalThis.__codemode_input__ ?? {}) as { limit?: number };
const { results } = await searchTools("read a file", { limit });
console.log(\`\${results.length} tools\`);
export default results.map(({ serverId, exportName }) => \`\${serverId}/\${exportName}\`);
\`\`\`

- Importable: \`@codemode/servers/SERVER\` (and its \`/resources\` and \`/prompts\`), \`@codemode/discovery\`, \`@codemode/errors\`, \`@codemode/results\` (\`contentOf(result)\`: blocks beside structured content), and modules beside the script.
- A tool takes one object, as its type says: \`await ${tool}({ … })\`. Start calls that do not need each other with \`Promise.all\`.
- Filter, count and sort in the script. Export the few values that the answer needs, and log summaries.
- A type of \`unknown\` means a string or a whole MCP result: run once and look before you rely on its shape.
- There is no network, no file system and no \`process\`: tools are the only way out.
- If a run needs approval or trust, tell the user which command you wanted to run, and let them decide. Do not add \`--approve\` or \`--trust\` yourself.
`;
}

interface NamedServer {
  id: string;
  tools: string[];
  count: number;
}

function listServers({ servers }: Lockfile): NamedServer[] {
  return [...servers]
    .filter(([id]) => isPlain(id))
    .map(([id, server]) => ({ id, tools: listTools(server), count: server.tools.length }));
}

function listTools({ tools }: LockedServer): string[] {
  return tools.map(({ exportName }) => exportName).filter(isPlain);
}

/** A name from outside that reads as a name, in a text and in a shell: no blanks, no markup, no sign that a shell knows, not endless. */
function isPlain(name: string): boolean {
  return name.length <= LONGEST_NAME && /^[A-Za-z0-9_][\w-]*$/.test(name);
}

function printServers(servers: readonly NamedServer[]): string {
  if (servers.length === 0) return "- none is locked yet";
  const shown = servers.slice(0, MOST_SERVERS);
  if (shown.length > MOST_DETAILED)
    return `- ${someOf(
      servers.map(({ id }) => id),
      MOST_SERVERS,
    )}`;
  return shown
    .map(({ id, tools, count }) => `- \`${id}\`: ${countOf(count, "tool")} (${someOf(tools, MOST_TOOLS)})`)
    .join("\n");
}

function someOf(names: readonly string[], most: number): string {
  const rest = names.length - most;
  const shown = names.slice(0, most).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
