import { describe, expect, test } from "vitest";
import { serveProject } from "./serve-project.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const outputSchema = { type: "object", properties: { degrees: { type: "number" } } };
const annotations = { readOnlyHint: true, openWorldHint: true };

const { client, resultOf } = serveProject(() => ({
  servers: {
    Weather: [
      { name: "get-forecast", description: "Says how warm it will be.", inputSchema, outputSchema, annotations },
      { name: "plain", inputSchema: { type: "object" } },
    ],
    travel: [{ name: "book_forecast", description: "Books a trip by the forecast.", inputSchema }],
  },
}));

const discover = (expression: string): Promise<unknown> =>
  resultOf(`import * as discovery from "@codemode/discovery";\nglobalThis.__codemode_result__ = await ${expression};`);

const NAMES = { toolName: "get-forecast", exportName: "get_forecast" };
const SUMMARY = { ...NAMES, description: "Says how warm it will be.", annotations };

test("the built-in modules can be imported, and discovery is one of them [4/modules] [4.1/single-module] [4.1/exports]", async () => {
  const kinds = `Object.fromEntries(Object.entries(discovery).map(([name, value]) => [name, typeof value]))`;
  expect(await discover(kinds)).toMatchObject({
    specVersion: "string",
    listServers: "function",
    describeServer: "function",
    listTools: "function",
    getTool: "function",
    searchTools: "function",
  });
  const others = 'import * as errors from "@codemode/errors"; import * as weather from "@codemode/servers/weather";';
  expect(await resultOf(`${others}\nexport default [typeof errors, typeof weather];`)).toEqual(["object", "object"]);
});

describe("the data types of the specification [4.2/types]", () => {
  test("ServerInfo [4.2.1/server-info]", async () => {
    const servers = (await discover("discovery.listServers()")) as { serverId: string }[];
    expect(servers.toSorted((left, right) => left.serverId.localeCompare(right.serverId))).toEqual([
      { serverId: "travel", serverName: "travel", capabilities: ["tools"] },
      { serverId: "weather", serverName: "Weather", capabilities: ["tools"] },
    ]);
  });

  test("ServerDescription [4.2.2/server-description]", async () => {
    expect(await discover('discovery.describeServer("weather")')).toMatchObject({
      serverId: "weather",
      serverName: "Weather",
      version: "1.0.0",
    });
  });

  test("ToolSummary, with what the server sent and nothing else [4.2.3/tool-summary]", async () => {
    const [forecast, plain] = (await discover('discovery.listTools("weather")')) as object[];
    expect(forecast).toMatchObject(SUMMARY);
    expect(plain).toMatchObject({ toolName: "plain", exportName: "plain" });
    expect(plain).not.toHaveProperty("description");
    expect(plain).not.toHaveProperty("annotations");
  });

  test("ToolDefinition [4.2.4/tool-definition]", async () => {
    const wanted = { ...SUMMARY, inputSchema, outputSchema };
    expect(await discover('discovery.getTool("weather", "get-forecast")')).toMatchObject(wanted);
    expect(await discover('discovery.getTool("weather", "plain")')).not.toHaveProperty("outputSchema");
  });

  test("SearchResults, each with its server [4.2.5/search-results]", async () => {
    const found = (await discover('discovery.searchTools("forecast")')) as { query: string; results: object[] };
    expect(found.query).toBe("forecast");
    expect(found.results).toHaveLength(2);
    expect(found.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ serverId: "weather", ...SUMMARY }),
        expect.objectContaining({ serverId: "travel", toolName: "book_forecast", exportName: "book_forecast" }),
      ]),
    );
  });

  test("SearchToolsOptions: one server, and at most so many [4.2.7/server-id] [4.2.7/limit]", async () => {
    const toolsOf = (options: string): Promise<unknown> =>
      discover(
        `discovery.searchTools("forecast", ${options}).then(({ results }) => results.map((tool) => tool.serverId))`,
      );
    expect(await toolsOf('{ serverId: "travel" }')).toEqual(["travel"]);
    expect(await toolsOf("{ limit: 1 }")).toHaveLength(1);
    expect(await toolsOf("{}")).toHaveLength(2);
  });
});

describe("the level of detail, of lists and of searches [4.3/supported]", () => {
  const ways = {
    list: (options: string) => `discovery.listTools("weather", ${options}).then(([tool]) => tool)`,
    search: (options: string) =>
      `discovery.searchTools("forecast", { serverId: "weather", ...${options} }).then(({ results: [tool] }) => tool)`,
  };
  /** What a result of a search has beside the fields of the level. */
  const place = (way: string): object => (way === "search" ? { serverId: "weather" } : {});

  describe.each(Object.entries(ways))("of a %s", (way, ask) => {
    test("name: the names alone [4.3/name]", async () => {
      expect(await discover(ask('{ detail: "name" }'))).toEqual({ ...NAMES, ...place(way) });
    });

    test("description, which is the default: no schemas [4.3/description] [4.2.6/default-detail]", async () => {
      for (const options of ['{ detail: "description" }', "{}"]) {
        const tool = await discover(ask(options));
        expect(tool).toMatchObject({ ...SUMMARY, ...place(way) });
        expect(tool).not.toHaveProperty("inputSchema");
        expect(tool).not.toHaveProperty("outputSchema");
      }
    });

    test("full: with the schemas [4.3/full]", async () => {
      const wanted = { ...SUMMARY, ...place(way), inputSchema, outputSchema };
      expect(await discover(ask('{ detail: "full" }'))).toMatchObject(wanted);
    });
  });
});

describe("types", () => {
  test("of few tools are in the description of the run tool [4.4/injected]", async () => {
    const [tool] = (await client().listTools()).tools;
    for (const words of [
      "@codemode/servers/weather",
      "get_forecast(",
      "plain(",
      "@codemode/servers/travel",
      "book_forecast(",
    ]) {
      expect(tool?.description).toContain(words);
    }
  });

  test("of every server are a resource, with all its tools, as the package has them [4.4/cover-all] [4.4/rules]", async () => {
    const { resources } = await client().listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "codemode://types/travel",
      "codemode://types/weather",
      "skill://codemode/SKILL.md",
    ]);
    const { contents } = await client().readResource({ uri: "codemode://types/weather" });
    const [{ text = "" } = {}] = contents as { text?: string }[];
    expect(text).toContain('declare module "@codemode/servers/weather"');
    expect(text).toMatch(/export function get_forecast\(input: GetForecastInput\): Promise<GetForecastOutput>/);
    expect(text).toMatch(/export function plain\(input\?: /);
  });
});

test("@codemode/errors can be imported [4.5/errors]", async () => {
  const code =
    'import { CodemodeError } from "@codemode/errors";\nexport default new CodemodeError("a", { hint: "b" }) instanceof Error;';
  expect(await resultOf(code)).toBe(true);
});
