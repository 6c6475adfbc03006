import { replacePlaceholders } from "@codemode/runtime/placeholders";
import { filledVariables } from "../../runtime/mcp/variables.ts";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config, ServerConfig } from "../../schemas/config/config.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import { evaluateSecretName } from "../../schemas/secrets/secret-names.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { durableRunElsewhere } from "./durable-errors.ts";
import type { ServerTargets } from "./kept-runs.ts";

/**
 * Where the calls of each server go: its address, or its program with its arguments. Variables are filled in where they name no secret, because a
 * secret that is replaced does not make another server; so the query of an address, which often holds one, counts as it is written, and folders of
 * this machine do too.
 */
export function targetsOf(config: Config, env: NodeJS.ProcessEnv): ServerTargets {
  const targets = config.servers.map((server) => {
    const open = Object.entries(valuesFor(config, env, server)).filter(([name]) => evaluateSecretName(name) === "none");
    return [server.id, integrityOf(placeOf(server, makeFill(Object.fromEntries(open))))] as const;
  });
  const own = (config.own ?? []).map(({ id, source }) => [id, integrityOf([source.transport])] as const);
  return Object.fromEntries([...targets, ...own]);
}

/** A file of variables that cannot be read stops the server, and nothing here. */
function valuesFor(config: Config, env: NodeJS.ProcessEnv, server: ServerConfig): NodeJS.ProcessEnv {
  try {
    return filledVariables(config, env, server).env;
  } catch (error) {
    if (error instanceof CodemodeError) return env;
    throw error;
  }
}

/** The servers of a run whose calls would go elsewhere now. */
export function findMoved(then: ServerTargets, now: ServerTargets): string[] {
  return Object.keys(then).filter((id) => now[id] !== then[id]);
}

/**
 * Asks before a run that has ended is gone on with, or taken back, at servers that are elsewhere now.
 * @throws CodemodeError `RUN_MOVED` where that is not confirmed
 */
export async function confirmMoved(
  now: ServerTargets,
  { id, servers }: { id: string; servers: ServerTargets },
  { mayMove }: Pick<DurableRequest, "mayMove">,
): Promise<void> {
  const moved = findMoved(servers, now);
  if (moved.length > 0 && (await mayMove?.(moved)) !== true) throw durableRunElsewhere(id, describeMoved(moved));
}

export function describeMoved([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : `, and of ${countOf(others.length, "other server")},`;
  return `the calls of its server "${first}"${more} would go elsewhere than when it began`;
}

function placeOf({ source }: ServerConfig, fill: (text: string) => string): string[] {
  if (source.transport === "stdio") return [source.transport, fill(source.command), ...source.args.map(fill)];
  const [address = "", ...query] = source.url.split("?");
  return ["http", fill(address).replace(/\/$/, ""), ...query];
}

function makeFill(env: NodeJS.ProcessEnv): (text: string) => string {
  const asWritten = (name: string): string => `\${${name}}`;
  const values = { env, workspaceFolder: asWritten("workspaceFolder"), userHome: asWritten("userHome") };
  return (text) => {
    try {
      return replacePlaceholders(text, values, () => new UnsetVariable());
    } catch (error) {
      if (error instanceof UnsetVariable) return text;
      throw error;
    }
  };
}

/** A variable has no value that may be filled in: the text stays as it is written. */
class UnsetVariable extends Error {}
