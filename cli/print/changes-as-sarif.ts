import type { ServerLockFailure } from "../../library/index.ts";
import { type Change, CHANGE_SEVERITIES, type ChangeSeverity, describeVerdict } from "../../schemas/diff/change.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import { escapeInvisible, oneLine } from "../../schemas/json/escape-invisible.ts";
import { formatLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { VERSION } from "../../schemas/version.ts";

const RULES: Record<ChangeSeverity | "not-compared", { level: "error" | "warning" | "note"; text: string }> = {
  breaking: { level: "error", text: "A script that was right may now be wrong." },
  policy: { level: "warning", text: "A policy may decide differently about calls of the tool." },
  compatible: { level: "note", text: "Existing scripts still work." },
  text: { level: "warning", text: "Only words changed, which is how a tool is poisoned." },
  observed: { level: "note", text: "Results have a shape that the lockfile does not hold." },
  "not-compared": { level: "error", text: "The server did not answer." },
};

/**
 * Changes as a log of SARIF 2.1.0, for code scanning; each is at the line of its server or tool in the lockfile.
 * @param place the path of the lockfile below the top of the repository, with `/`
 */
export function printChangesAsSarif(
  changes: readonly ServerChange[],
  failures: readonly ServerLockFailure[],
  lockfile: Lockfile | undefined,
  place: string,
): string {
  const found = {
    uri: place.split("/").map(encodeURIComponent).join("/"),
    places: indexPlaces(lockfile === undefined ? "" : formatLockfile(lockfile)),
  };
  const results = [
    ...failures.map(({ serverId, error }) => toResult("not-compared", serverId, "", error.message, found)),
    ...changes.flatMap(({ serverId, changes }) =>
      changes.map((change) => toResult(change.severity, serverId, change.pointer, describe(serverId, change), found)),
    ),
  ];
  const driver = {
    name: "codemode",
    version: VERSION,
    rules: [...CHANGE_SEVERITIES, "not-compared" as const].map((id) => ({
      id,
      shortDescription: { text: RULES[id].text },
      defaultConfiguration: { level: RULES[id].level },
    })),
  };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
  return JSON.stringify(log, null, 2);
}

/** Where findings are. */
interface Found {
  uri: string;
  places: Places;
}

function describe(serverId: string, { summary, pointer, verdict }: Change): string {
  const policy = verdict === undefined ? "" : `; the project's policy: ${describeVerdict(verdict)}`;
  return `${serverId}: ${summary} (${pointer})${policy}`;
}

function toResult(rule: keyof typeof RULES, serverId: string, pointer: string, text: string, { places, uri }: Found) {
  const place = `${serverId}${pointer}`;
  return {
    ruleId: rule,
    level: RULES[rule].level,
    message: { text: toPlainMessage(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          region: { startLine: findLine(places, serverId, pointer) },
        },
        logicalLocations: [{ fullyQualifiedName: oneLine(place) }],
      },
    ],
    // Without it two runs that find the same change at another line are two findings.
    partialFingerprints: { "place/v1": `${rule} ${oneLine(place)}` },
  };
}

/** Brackets begin a link in a message (SARIF 2.1.0, 3.11.6). */
function toPlainMessage(text: string): string {
  return oneLine(text).replace(/[\\[\]]/g, "\\$&");
}

/** By server and by entry of a server, as the lockfile has their first lines: the number of that line, counted from 1. */
type Places = ReadonlyMap<string, number>;

const SERVER_LINE = /^ {4}("[^]*): \{$/;
const NAME_LINE = /^ {10}"name": ("[^]*"),?$/;

/** A lockfile is canonical, so its text shows where an entry begins. */
function indexPlaces(text: string): Places {
  const places = new Map<string, number>();
  let server = "";
  for (const [at, line] of text.split("\n").entries()) {
    server = SERVER_LINE.exec(line)?.[1] ?? server;
    const name = NAME_LINE.exec(line)?.[1];
    const place = name === undefined ? server : `${server} ${name}`;
    if (!places.has(place)) places.set(place, at + 1);
  }
  return places;
}

/** Of the tool that a pointer is in, else of its server. */
function findLine(places: Places, serverId: string, pointer: string): number {
  const server = JSON.stringify(serverId);
  const name = /^\/(?:tools|resources|prompts)\/([^/]*)/
    .exec(pointer)?.[1]
    ?.replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const entry = name === undefined ? undefined : places.get(`${server} ${escapeInvisible(JSON.stringify(name))}`);
  return entry ?? places.get(server) ?? 1;
}
