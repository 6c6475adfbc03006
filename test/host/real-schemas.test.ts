import { existsSync } from "node:fs";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { compileSchema } from "../../runtime/host/checks/compile-schema.ts";
import { cleanInputSchema, cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { isJsonObject, type JsonObject } from "../../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { makeRandom, makeValue } from "../openapi/schema-values.ts";
import { countCases } from "../sets/count-cases.ts";
import { lockRecordings } from "../templates/lockfile-of.ts";
import { recordServers } from "../templates/record-servers.ts";

/*
 * What the schema of a tool accepts, the host accepts; and what an output schema refuses, the host refuses. Another validator reads the schema as
 * its server wrote it. The tool lists of some 70 servers are no part of the repository: the long tests try a part of them, `npm run test:cases` all.
 */

const CORPUS = new URL("../../../shared/corpus/", import.meta.url);
const isThere = existsSync(CORPUS);
const SEED = 20_261_128;
const TRIES = 6;

const OPTIONS = { strict: false, validateSchema: false, logger: false } as const;

/** In the dialect that the schema names, else the one of MCP; undefined for a schema that the other validator refuses. */
function openOriginal(schema: JsonObject): ((value: unknown) => boolean) | undefined {
  const dialect = String(schema["$schema"] ?? "");
  const Validator = dialect.includes("draft-0") ? Ajv : dialect.includes("2019-09") ? Ajv2019 : Ajv2020;
  const { $schema: _, ...plain } = schema;
  try {
    const ajv = new Validator(OPTIONS);
    addFormats.default(ajv);
    return ajv.compile(plain) as (value: unknown) => boolean;
  } catch {
    return undefined;
  }
}

interface Compared {
  values: number;
  refused: string[];
  accepted: string[];
  /** What only the host reads. */
  unread: string[];
}

/** Compares the tools of a server, each schema with values that are made from it. */
function compare({ id, tools }: LockedServer): Compared {
  const random = makeRandom(SEED);
  const found: Compared = { values: 0, refused: [], accepted: [], unread: [] };
  for (const tool of tools) compareTool(`${id}/${tool.name}`, tool, random, found);
  return found;
}

function compareTool(
  place: string,
  { inputSchema, outputSchema }: LockedTool,
  random: () => number,
  found: Compared,
): void {
  const sides = [
    ["input", inputSchema, cleanInputSchema(inputSchema)],
    ["output", outputSchema, cleanSchema(outputSchema ?? true, "output")],
  ] as const;
  for (const [side, schema, clean] of sides) {
    if (schema === undefined || !isJsonObject(schema)) continue;
    const fits = openOriginal(schema);
    if (fits === undefined) {
      found.unread.push(place);
      continue;
    }
    const check = compileSchema(clean);
    for (let count = 0; count < TRIES; count += 1) {
      const value = makeValue({ root: schema, random, hidden: undefined }, { value: schema, pointer: "#" });
      if (side === "input" && !isJsonObject(value)) continue;
      const shown = `${place} ${side}: ${JSON.stringify(value).slice(0, 200)}`;
      const isValid = check(value).length === 0;
      found.values += 1;
      if (fits(value) && !isValid) found.refused.push(shown);
      if (side === "output" && !fits(value) && isValid) found.accepted.push(shown);
    }
  }
}

test("of the servers that are dev dependencies", async () => {
  const all = [...(await recordServers()).servers.values()].map(compare);
  expect(all.flatMap(({ refused, accepted, unread }) => [...refused, ...accepted, ...unread])).toEqual([]);
  expect(all.reduce((sum, { values }) => sum + values, 0)).toBeGreaterThan(200);
});

const random = makeRandom(SEED);
const corpus = isThere ? [...lockRecordings(CORPUS).servers.values()] : [];
const tried = corpus.filter(() => random() < countCases(1, 0.2));

/** A list of choices without one, which the other validator refuses. */
const UNREAD = ["netlify/netlify-coding-rules"];

describe.skipIf(!isThere)(`of real servers${isThere ? "" : " (skipped: without ../shared/corpus)"}`, () => {
  test.each(tried.map((server) => [server.id, server] as const))("%s", (_id, server) => {
    const { refused, accepted, unread } = compare(server);
    expect([refused, accepted]).toEqual([[], []]);
    expect(UNREAD).toEqual(expect.arrayContaining(unread));
  });
});
