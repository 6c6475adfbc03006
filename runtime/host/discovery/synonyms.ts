import { toStem } from "./words.ts";

/** Words that people and servers use for the same thing. No names of products, and nothing that only one server says. */
const GROUPS = [
  "add append create generate insert make new",
  "alter change edit modify patch set update",
  "delete clear drop erase purge remove",
  "display fetch get list read retrieve show view",
  "find look lookup query search",
  "post send",
  "check validate verify",
  "fake mock simulate stub",
  "click press tap",
  "execute invoke launch run start trigger",
  "abort cancel end kill stop terminate",
  "restore revert rollback undo",
  "clone copy duplicate",
  "move rename",
  "activate enable",
  "deactivate disable",
  "convert transform turn",
  "attach upload",
  "download export save",
  "ask question",
  "plan schedule",
  "alarm alert notification",
  "article paper",
  "auth authentication authorization login",
  "bug issue ticket",
  "chart diagram graph plot",
  "clip movie video",
  "column field",
  "command shell terminal",
  "comment remark",
  "config configuration setting",
  "coordinates latitude location longitude",
  "cost price pricing",
  "credential secret",
  "current self",
  "database db",
  "describe detail info information",
  "directory folder",
  "doc documentation",
  "email mail",
  "env environment",
  "error fail failure problem",
  "image photo picture",
  "kind type",
  "link url",
  "member people person user",
  "message text",
  "org organization",
  "page site webpage website",
  "record row",
  "repo repository",
  "sim simulator",
  "state status",
  "js javascript",
  "k8s kubernetes",
  "postgres postgresql",
  "pr pull",
  "ts typescript",
];

let index: ReadonlyMap<string, readonly string[]> | undefined;

/** The stems that may stand for a stem. */
export function synonymsOf(stem: string): readonly string[] {
  index ??= indexGroups(); // By the first search: most runs search nothing.
  return index.get(stem) ?? [];
}

function indexGroups(): Map<string, readonly string[]> {
  const groups = GROUPS.map((group) => [...new Set(group.split(" ").map((word) => toStem(word) ?? word))]);
  return new Map(
    groups.flatMap((group) => group.map((stem) => [stem, group.filter((other) => other !== stem)] as const)),
  );
}
