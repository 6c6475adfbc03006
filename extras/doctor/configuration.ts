import { relative } from "node:path";
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { type ConfigRequest, findConfigFile, loadConfig, projectFolder } from "../../engine/load-config.ts";
import { findExposed } from "../../engine/project/config/find-exposed.ts";
import { withoutMark } from "../../schemas/text/without-mark.ts";
import { findJsonError, positionOf } from "../../engine/project/config/find-json-error.ts";
import { findUnsetVariables } from "../../engine/variables.ts";
import { readTextIfPresent } from "../../engine/project/files.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config } from "../../schemas/config/config.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { findLiteralSecrets } from "../../schemas/secrets/literal-secrets.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Finding, info, ok, printSome, problem, toFinding, warning } from "./doctor-report.ts";

export type ConfigurationPlace = ConfigRequest;

/** The configuration, or what is wrong with it; and the project folder, as far as known. */
interface LookedAtConfiguration {
  config?: Config | undefined;
  folder: string;
  findings: Finding[];
}

/** Loads the configuration; where that fails, finds the line. */
export async function lookAtConfiguration(place: ConfigurationPlace): Promise<LookedAtConfiguration> {
  let file: string | undefined;
  try {
    file = findConfigFile(place);
    const config = await loadConfig(place);
    return { config, folder: config.folder, findings: evaluateConfiguration(config, toShown(place.cwd, file)) };
  } catch (error) {
    if (!(error instanceof CodemodeError)) throw error;
    if (file === undefined) return { folder: place.cwd, findings: [toFailure(error, {})] };
    const text = await readTextIfPresent(file).catch(() => undefined);
    const finding = toFailure(error, { file: toShown(place.cwd, file), text });
    return { folder: projectFolder(file), findings: [finding] };
  }
}

function toShown(cwd: string, file: string): string {
  return relative(cwd, file) || file;
}

/** Variables are looked for by name: no value is read into anything. */
function evaluateConfiguration(config: Config, file: string): Finding[] {
  const servers = config.servers.length;
  const { servers: ofServers, serve: ofServe, problems } = findUnsetVariables(config);
  const unset = [...new Set(ofServers.flatMap((server) => server.unset))].toSorted();
  const found = `${file} with ${countOf(servers, "server")}`;
  return [
    toFinding("configuration.file", "file", ok(found), { file, servers }),
    evaluateVariables("variables", unset),
    ...problems.map(({ message, hint }) => toFinding("configuration.envFile", "envFile", problem(message, hint))),
    ...evaluateSecrets(config),
    ...evaluateExposed(config),
    ...(ofServe.length === 0 ? [] : [evaluateVariables("serveVariables", ofServe)]),
  ];
}

function evaluateVariables(kind: "serveVariables" | "variables", unset: string[]): Finding {
  const [id, names] = [`configuration.${kind}`, printSome(unset)];
  const [subject, judge] = kind === "variables" ? ["variables", problem] : (["variables of serve", warning] as const);
  if (unset.length === 0) return toFinding(id, subject, ok("all are set"));
  return toFinding(
    id,
    subject,
    judge(`not set: ${names}`, `Set ${names}, or write them into a file that "envFile" names.`),
    {
      unset,
    },
  );
}

/** Only where there are some: what is not found proves nothing. */
function evaluateSecrets({ servers }: Config): Finding[] {
  const found = servers.flatMap((server) => findLiteralSecrets(server).map((secret) => ({ ...secret, id: server.id })));
  if (found.length === 0) return [];
  const places = found.map(({ id, place }) => `${id} ${place}`);
  const placeholders = printSome([...new Set(found.map(({ variable }) => `\${${variable}}`))]);
  const hint = `Write ${placeholders} there and set the variables; list false positives under "notSecret" of their server.`;
  const verdict = warning(`these look like secrets: ${printSome(places)}`, hint);
  return [toFinding("configuration.secrets", "secrets", verdict, { places })];
}

/** Policy, lock and bindings are files: who may write all files of the project may change them. */
function evaluateExposed(config: Config): Finding[] {
  const exposed = config.servers.flatMap(({ id, source }) =>
    findExposed(config, { source }).map((word) => `${id} ${word}`),
  );
  if (exposed.length === 0) return [];
  const found = `servers reach the project's own configuration or packages: ${printSome(exposed)}`;
  const hint = "Give them a folder below, such as ./notes, or ask for or deny their tools that write.";
  return [toFinding("configuration.exposed", "own files", warning(found, hint), { exposed })];
}

function toFailure(
  { code, message, hint }: CodemodeError,
  { file, text }: { file?: string; text?: string | undefined },
): Finding {
  // A machine without a project is looked at as well.
  if (code === "CONFIG_MISSING") return toFinding("configuration.file", "file", info("there is none here", hint));
  const { failure, line, column } = text === undefined ? { failure: message } : locate(code, message, text);
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const words = failure.startsWith(`${file}: `) ? failure.slice(`${file}: `.length) : failure;
  const facts = { code, ...withoutUndefined({ file, line }) };
  return toFinding("configuration.file", "file", problem(`${place}: ${words}`, hint), facts);
}

/** The words of the JSON parser quote the text around the mistake, which may be a secret: they are not used. */
function locate(code: string, failure: string, text: string): { failure: string; line?: number; column?: number } {
  if (code !== "CONFIG_BROKEN") return { failure, ...withoutUndefined({ line: lineOfPlace(text, failure) }) };
  const error = findJsonError(text);
  return error === undefined
    ? { failure: "it is not valid JSON" }
    : { failure: `it is not valid JSON: ${error.words}`, ...error };
}

/** The line of the place that a message about a configuration names: `"/limits/timeoutMs"`, or an unknown key in one. */
export function lineOfPlace(text: string, message: string): number | undefined {
  const [, pointer] = /"((?:\/[^"/]*)+)"/.exec(message) ?? [];
  const [, key] = /unknown key "([^"]*)" in/.exec(message) ?? [];
  const root = parseTree(withoutMark(text));
  if (root === undefined) return undefined;
  const segments = (pointer ?? "").split("/").slice(1).map(unescape);
  const place = walk(root, segments);
  const found = place === undefined || key === undefined ? place : findNodeAtLocation(place, [key]);
  // The property, where there is one: its name stands in the line that is to be changed.
  const node = found?.parent?.type === "property" ? found.parent : found;
  return node === undefined || node === root ? undefined : positionOf(withoutMark(text), node.offset).line;
}

function walk(root: Node, segments: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of segments) {
    if (node === undefined) return undefined;
    node = findNodeAtLocation(node, [node.type === "array" ? Number(segment) : segment]);
  }
  return node;
}

/** RFC 6901, section 4. */
function unescape(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
