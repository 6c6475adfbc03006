// What agents write before anything is known of results: these statements run, and go on being accepted after learning.
import { get_resource_links, get_sum, get_tiny_image } from "@codemode/servers/everything";
import { create_entities, read_graph } from "@codemode/servers/graph";
import { read_query } from "@codemode/servers/sqlite";
import { browser_navigate, browser_snapshot } from "@codemode/servers/playwright";
import { cron_parse, regex, url_parse } from "@codemode/servers/calc";
import { list_requests } from "@codemode/servers/tasks";
import { current_time } from "@codemode/servers/time";

// Any form of a result, as text.
const sum = await get_sum({ a: 1, b: 2 });
const text = typeof sum === "string" ? sum : sum.content.map((block) => block.text ?? "").join("\n");
function textOf(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}
const picture = await get_tiny_image();
const image = typeof picture === "string" ? undefined : picture.content.find((block) => block.type === "image");
const links = await get_resource_links({ count: 2 });
const uris =
  typeof links === "object" && Array.isArray(links.content) ? links.content.flatMap((block) => block.uri ?? []) : [];

// JSON, with types of the script's own.
interface Entity {
  name: string;
  entityType: string;
  observations: string[];
  labels?: string[];
}
const created = JSON.parse(
  String(await create_entities({ entities: [{ name: "one", entityType: "thing", observations: [] }] })),
);
const { entities }: { entities: Entity[] } = JSON.parse((await read_graph()) as string);
const graph = (await read_graph()) as string;
const relations = (JSON.parse(graph) as { relations: { from: string; to: string }[] }).relations;

// Columns that the query names, some of them nearly as others.
const rows = JSON.parse(
  textOf(await read_query({ query: "select id, item as items, price * 2 as prices from orders" })),
);
const [only] = JSON.parse((await read_query({ query: "select max(price) as prize from orders" })) as string);
const direct = JSON.parse(await read_query({ query: "select item as items, max(price) as prizes from orders" }));

// Fields that may have another name, or none.
const url = JSON.parse(await url_parse({ url: "https://example.org/?q=1" }));
const host = url.hostName ?? url.hostname;
const query = url.searchParams.q ?? url.searchParams.query;
const cron = JSON.parse(await cron_parse({ expression: "0 9 * * 1" }));
const next = (cron.nextOccurrence || cron.nextOccurrences)?.[0];
const found = JSON.parse(await regex({ action: "match", pattern: "b", text: "abc" }));
const index = found.index ?? found.matches?.[0]?.index ?? -1;
const list = JSON.parse(await list_requests());
const count = list.total ?? list.count ?? list.requests.length;
const ended = list.requests.filter((request) => request.completed_at !== undefined).length;

const page = await browser_navigate({ url: "about:blank" });
const snapshot = page.includes("Snapshot") ? page : await browser_snapshot();
const now = new Date((await current_time({ format: "YYYY-MM-DD" })).replace(/[^\d-]/g, "").slice(0, 10));

export default {
  text,
  image: image?.mimeType,
  uris,
  created: created.length ?? created.entities?.length,
  labels: entities.flatMap(({ labels }) => labels ?? []),
  relations: relations.length,
  items: rows.map((row) => row.items + row.prices),
  prize: only.prize,
  direct: direct.map((row) => row.prizes * 2),
  ...{ host, query, next, index, count, ended },
  snapshot: snapshot.length,
  isValid: !Number.isNaN(now.getTime()),
};
