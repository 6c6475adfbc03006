import type { ApiDocs, ApiEntry } from "./read-library.ts";
import { table } from "./print-reference.ts";
import { type EventEntry, readEvents } from "./read-events.ts";

/** The exports that have a place of their own on the page; the types of data are in one table. */
export function placesOf(library: ReadonlyMap<string, ApiEntry>): string[] {
  return [...library.values()].flatMap((entry) => (isData(entry) ? [] : [entry.name])).concat("data", "events");
}

/** What the page describes member by member; the rest is data, which other pages describe. */
const DESCRIBED =
  /^(?:Engine|Project|DescribedTool|CodemodeError|Script|ReadScript|\w+Options|(?:Call|Check|Diff|Generate|Lock)Result|ServerLockFailure)$/;

function isData({ name, kind }: ApiEntry): boolean {
  return kind !== "function" && !DESCRIBED.test(name);
}

/** The variables of the examples. */
const VARIABLES: { [type: string]: string } = { DescribedTool: "tool", Engine: "engine", Project: "project" };

/** The reference of one export, or of the types of data (`data`), as Markdown. */
export function printExport(name: string, library: ReadonlyMap<string, ApiEntry>): string | undefined {
  if (name === "data") return printData(library);
  if (name === "events") return printEvents(readEvents());
  const entry = library.get(name);
  if (entry === undefined) return undefined;
  if (entry.kind === "function") return printFunction(entry);
  const properties = entry.members.filter(({ kind }) => kind === "property");
  const methods = entry.members.filter(({ kind }) => kind === "function");
  return [
    entry.docs.text,
    ...(entry.type === "" ? [] : [fence(`type ${entry.name} = ${entry.type};`)]),
    ...(properties.length === 0 ? [] : [printProperties(properties)]),
    ...methods.flatMap((method) => [`### \`${VARIABLES[name] ?? name}.${method.name}\``, printFunction(method)]),
  ].join("\n\n");
}

function printFunction({ type, docs }: ApiEntry): string {
  return [fence(type), docs.text, ...printTags(docs)].join("\n\n");
}

function printTags({ params, throws, example }: ApiDocs): string[] {
  const named = params.map((text) => text.replace(/^(\S+)\s+(?:-\s+)?/, "- `$1`: "));
  return [
    ...(named.length === 0 ? [] : [named.join("\n")]),
    ...(throws === undefined ? [] : [`Rejects with a ${throws.replace(/^CodemodeError/, "`CodemodeError`")}.`]),
    ...(example === undefined ? [] : [fence(example, "ts")]),
  ];
}

function printProperties(properties: readonly ApiEntry[]): string {
  const rows = properties.map(({ name, type, docs }) => [`\`${name}\``, `\`${type}\``, docs.text]);
  return table(["name", "type", "meaning"], rows);
}

function printData(library: ReadonlyMap<string, ApiEntry>): string {
  const rows = [...library].filter(([, entry]) => isData(entry));
  return table(
    ["name", "what it is"],
    rows.map(([name, { docs }]) => [`\`${name}\``, docs.text.split("\n\n")[0] ?? ""]),
  );
}

/** One row for each event, with what it belongs to. */
function printEvents(events: readonly EventEntry[]): string {
  const rows = events.map(({ of, type, fields, text }) => [
    `\`${type}\``,
    of,
    fields.map((field) => (field.includes(" ") ? field : `\`${field}\``)).join(", "),
    text,
  ]);
  return table(["event", "of", "fields", "what has happened"], rows);
}

function fence(text: string, language = "text"): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** What the reference lacks: docstrings, and examples of functions. */
export function findGaps(library: ReadonlyMap<string, ApiEntry>): string[] {
  const mute = readEvents().filter(({ text }) => text === "");
  const ofEvents = mute.map(({ type }) => `${type} has no description`);
  const ofExports = [...library].flatMap(([name, entry]) => {
    if (isData(entry)) return entry.docs.text === "" ? [`${name} has no docstring`] : [];
    const all: [string, ApiEntry][] = [
      [name, entry],
      ...entry.members.map((member): [string, ApiEntry] => [`${name}.${member.name}`, member]),
    ];
    return all.flatMap(([path, { kind, docs }]) => [
      ...(docs.text === "" ? [`${path} has no docstring`] : []),
      ...(kind === "function" && docs.example === undefined ? [`${path} has no example`] : []),
    ]);
  });
  return [...ofEvents, ...ofExports];
}
