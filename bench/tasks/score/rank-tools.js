import { toolIndexOf } from "../../../dist/runtime/host/discovery/tool-index.js";

/**
 * The places of the tools that a task needs, from 1, or null: in the search for the task's own text, and in the search for the words that an agent
 * uses for that tool.
 */
export function rankTools(lockfile, { text, tools }) {
  const index = toolIndexOf({ ...lockfile });
  const rank = (words, wanted) => {
    const found = index.search(words, { limit: 50 }).map(({ serverId, toolName }) => `${serverId}/${toolName}`);
    return found.indexOf(wanted) + 1 || null;
  };
  return Object.entries(tools).map(([tool, words]) => ({ tool, byText: rank(text, tool), byWords: rank(words, tool) }));
}
