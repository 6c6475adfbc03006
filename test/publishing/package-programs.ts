/** A program that uses the packages of the three servers. */
export const USE = `
import { get_sum, type GetSumInput } from "@acme/everything-tools";
import { read_text_file } from "@acme/filesystem-tools";
import { __meta__, create_entities, read_graph } from "@acme/memory-tools";

const input: GetSumInput = { a: 40, b: 2 };
const { content } = await read_text_file({ path: "notes.txt" });
const [line = ""] = content.split("\\n");
await create_entities({ entities: [{ name: line, entityType: "line", observations: [] }] });
const graph = await read_graph();
const names: string[] = graph.entities.map(({ name }) => name);
const sum: unknown = await get_sum(input);
const outcome = { server: __meta__.serverId, names, sum };
`;

/** Mistakes that their types refuse. */
export const PLANTED = `
import { read_text_file } from "@acme/filesystem-tools";
// @ts-expect-error The path of a file is a string.
await read_text_file({ path: 1 });
// @ts-expect-error There is no such tool.
export { no_such_tool } from "@acme/filesystem-tools";
`;

/** What is known of results: `echo` is as if it had been learned that it returns JSON. */
export const RESULTS = `
import { echo } from "@acme/everything-tools";
import { read_text_file } from "@acme/filesystem-tools";

const text = await echo({ message: "issue" });
export const length: number = text.length;
const issue = JSON.parse(text);
export const title: string = issue.title;
export const labels: string[] = issue.labels ?? [];
// @ts-expect-error A field of the text is misspelt.
export const misspelt: unknown = issue.titel;
// @ts-expect-error Not every result has it.
export const first: unknown = issue.labels[0];
const result = await read_text_file({ path: "notes.txt", head: 3 });
// @ts-expect-error A field of the result is misspelt.
export const contents: unknown = result.contents;
// @ts-expect-error An argument is misspelt.
await read_text_file({ path: "notes.txt", heads: 3 });

type IsAny<T> = 0 extends 1 & T ? true : false;
const plain: string = text;
export const [literal, other, revived]: [unknown, unknown, unknown] = [
  JSON.parse("{}") satisfies Date,
  JSON.parse(plain) satisfies Date,
  JSON.parse(text, (_key, value: unknown) => value) satisfies Date,
];
const parsed = JSON.parse(plain);
export const isAny: IsAny<typeof parsed> = true;
// @ts-expect-error What was learned is known.
export const isKnown: IsAny<typeof issue> = true;
`;
