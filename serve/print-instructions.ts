import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { printUse } from "./description/server-words.ts";
import type { RunLimits } from "../schemas/config/config-file.ts";
import type { ServeSettings } from "../schemas/config/serve-settings.ts";

/**
 * What the specification makes a host document (3.2.1, 3.2.3, 3.2.4, 3.5, 5.3.1, 5.3.2, 9, 10.1), as the instructions of the
 * MCP server, after one line that says what the tools are good for: a model that does not see the tools yet looks for them by that.
 * @param lockfile absent where nothing is locked yet, which a handshake does not wait for
 */
export function printInstructions(limits: RunLimits, settings: ServeSettings, lockfile?: Lockfile): string {
  const use = lockfile === undefined ? "" : printUse(lockfile);
  return [
    ...(use === "" ? [] : [use]),
    `${runToolOf(settings)} runs an ES module in JavaScript or TypeScript (no JSX) with top-level await. Nothing is kept between runs.`,
    "Importable: @codemode/servers/<serverId>, …/resources, …/prompts; @codemode/discovery (searchTools(query, {serverId?, limit?, detail?}), listServers, describeServer, listTools, getTool); @codemode/errors; @codemode/results (contentOf: images beside structuredContent). No other modules; import() needs a constant.",
    "A tool takes one input object; without required properties it may be left out; an input schema that is no object takes a value of that type.",
    "A tool returns structuredContent if there is any; else the string of a single text block; else the whole MCP result, with images and audio as base64.",
    "The result is the last value of globalThis.__codemode_result__, or the default export: JSON only.",
    "Failed calls throw: SchemaValidationError (pointer, expected, received), ToolCallError, AuthenticationError, SandboxLimitError; each has a hint. Only tools that the code imports can be called. Calls may run at once (Promise.all).",
    "Globals are those of the language (built-in objects are frozen), URL, URLSearchParams, TextEncoder, TextDecoder, setTimeout, clearTimeout, console, atob, btoa, structuredClone, queueMicrotask, performance.now, crypto.randomUUID, crypto.getRandomValues, AbortController, AbortSignal, Event, EventTarget. No fetch, network, files, process, require, Buffer, setInterval, eval, Function from strings: tool calls are the only way out.",
    `Limits, which a call may lower: ${printLimits(limits)}.`,
    "Capability identifiers for requestedCapabilities are the server ids.",
    "Failures are in diagnostics, with hint and position. Filter and aggregate in the script; log summaries.",
  ].join("\n");
}

function runToolOf({ surface, toolName = "The tool codemode.run" }: ServeSettings): string {
  if (surface === "run") return toolName;
  return surface === "search" ? "execute" : "executeToolCode";
}

function printLimits(limits: RunLimits): string {
  return Object.entries(limits)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
