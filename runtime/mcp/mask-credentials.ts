import type { Config } from "../../schemas/config/config.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { placeholdersOf } from "@codemode/runtime/project-trust";
import { pickCredentials } from "../../schemas/secrets/evaluate-secret.ts";
import { maskTexts } from "../../schemas/secrets/mask-json.ts";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { listClientServers } from "./client-server.ts";
import { resolveTarget } from "./resolve-target.ts";
import { filledVariables } from "./variables.ts";
import type { CallListener } from "@codemode/runtime/connections/call-listener";
import type { ServerConnection, ServerTarget } from "@codemode/runtime/connections/connect-server";
import { keepChangedNumber } from "@codemode/runtime/connections/changed-numbers";
import {
  holdPrinted,
  printedContent,
  printedDepth,
  withoutContent,
} from "@codemode/runtime/connections/printed-content";
import { listSecrets } from "@codemode/runtime/connections/server-target";

/** Does a request, and what has to be done around it. */
export type During = <Result>(request: () => Promise<Result>) => Promise<Result>;

const ALONE: During = (request) => request();

/**
 * Servers echo things. Puts `[redacted: NAME]` for every exact occurrence of the server's own credentials in what it sends, so
 * that none gets into a script, its logs, an answer or the lockfile. The connection is the same with other requests, and inherits the rest.
 * @param settings `others` masks credentials of other clients as well, where there are any; each request is made by `during`
 */
export function maskCredentials(
  connection: ServerConnection,
  target: ServerTarget,
  { others, during = ALONE }: { others?: OtherMask | undefined; during?: During | undefined } = {},
): ServerConnection {
  const own = makeValueMask(findCredentials(target));
  const isMasked = !own.isEmpty || others !== undefined;
  if (!isMasked && during === ALONE) return connection;
  const redact = others === undefined ? own.text : (text: string) => others.redact(own.text(text));
  const mayHold = (json: Buffer) => others?.isInUse() === true || own.mayHold(json);
  const maskedCall: ServerConnection["callTool"] = async (name, input, options = {}) => {
    const { listener, onProgress } = options;
    const result = await connection.callTool(name, input, {
      ...options,
      listener: listener && maskListener(listener, redact),
      onProgress: onProgress && ((progress) => onProgress(maskTexts(progress, redact))),
    });
    const json = printedContent(result);
    const isWhole = json === undefined || mayHold(json);
    const masked = maskTexts(isWhole ? result : withoutContent(result), redact);
    if (!isWhole) holdPrinted(masked, json, printedDepth(result));
    keepChangedNumber(result, masked);
    return masked;
  };
  const callTool = isMasked ? maskedCall : connection.callTool;
  const calls: Pick<ServerConnection, "snapshot" | "callTool"> = {
    async snapshot(signal) {
      const snapshot = await during(() => connection.snapshot(signal));
      return isMasked ? maskTexts(snapshot, redact) : snapshot;
    },
    callTool: during === ALONE ? callTool : (...call) => during(() => callTool(...call)),
  };
  return Object.assign(Object.create(connection) as ServerConnection, calls);
}

function maskListener(listener: CallListener, redact: (text: string) => string): CallListener {
  const { person } = listener;
  return {
    person,
    elicit: (params, signal) => listener.elicit(maskTexts(params, redact), signal),
    log: (message) => listener.log?.(maskTexts(message, redact)),
  };
}

/** Masks what belongs to others; it may learn more as long as it is used. */
export interface OtherMask {
  isInUse(): boolean;
  redact(text: string): string;
}

/**
 * The credentials of a server, by their names: what none may read of it. Values under names that are given to none never reach a file or an error
 * either, but may be common words.
 */
export function findCredentials(target: ServerTarget): Record<string, string> {
  // Reversed: of two names for one value the server's own comes before the name of its variable.
  const secrets = Object.entries(listSecrets(target)).toReversed();
  return pickCredentials(Object.fromEntries(secrets), target.literals ?? {});
}

/** The credentials of a configuration with the values that they have now, by name and value. A server whose variables are not set has none. */
export function listCredentials(config: Config, env: NodeJS.ProcessEnv = process.env): [string, string][] {
  const { folder, servers, serve } = config;
  const ofServers = [...servers, ...listClientServers(config).map(({ server }) => server)].flatMap((server) =>
    orNone(() => {
      const variables = filledVariables(config, env, server);
      return Object.entries(findCredentials(resolveTarget(server, folder, variables)));
    }),
  );
  const { token, operatorToken, clients } = serve;
  const texts = [token, operatorToken, ...clients.map((client) => client.token)];
  const names = texts.flatMap((text) => (text === undefined ? [] : placeholdersOf(text)));
  const ofServe = orNone(() => {
    const { env: values } = filledVariables(config, env);
    return names.flatMap((name): [string, string][] => (values[name] ? [[name, values[name]]] : []));
  });
  return [...ofServers, ...ofServe];
}

/** What cannot be resolved has no credentials here: who needs it gets the error. */
function orNone(find: () => [string, string][]): [string, string][] {
  try {
    return find();
  } catch (error) {
    if (error instanceof CodemodeError) return [];
    throw error;
  }
}
