import * as results from "@codemode/servers/case-results";

// What was always one text is a text.
export const text: string = await results.plain_text();

// A text with JSON in it is a text, and JSON.parse of it knows what is inside.
const issueText = await results.json_text();
export const length: number = issueText.length;
export const upper: string = issueText.toUpperCase();
const issue = JSON.parse(issueText);
export const number: number = issue.number;
export const body: string | null = issue.body;
export const labels: string[] = issue.labels.map((label) => label.name);
export const url: string | undefined = issue.author.url;
// @ts-expect-error -- a field is misspelt
export const title: unknown = issue.titel;
// @ts-expect-error -- a field is misspelt, deep inside
export const login: unknown = issue.author.logn;
export const [row] = JSON.parse(await results.mixed_text());
// @ts-expect-error -- a list may be empty
export const id: number = row.id;

// JSON.parse of any other text is what it always was.
const anything = JSON.parse("{}");
export const member: Date = anything.whatever.it.is;
export const revived: Date = JSON.parse("{}", (_key, value: unknown) => value);
export const plain: Date = JSON.parse(await results.plain_text());

const { rows, total } = await results.structured();
export const sum: number = rows.reduce((before, { id: one }) => before + one, total);
// @ts-expect-error -- not every row has a name
export const name: string = rows.map((each) => each.name)[0];

const any = await results.every_form();
if (typeof any !== "string" && "content" in any) any.content.map((block) => block.type);
export const kinds: string[] = (await results.blocks_only()).content.map((block) => block.type);

const { byId } = JSON.parse(await results.map_inside());
export const size: number | undefined = byId["9f86d081884c7d65"]?.size;
export const emptyList: readonly unknown[] = JSON.parse(await results.empty_forms()).list;
export const declared: { id: string } = await results.declared();

// Whatever a tool is called, the types mean what they say.
export const named: number = JSON.parse(await results.JsonText()).a;
export const other: string = await results.McpResult();
