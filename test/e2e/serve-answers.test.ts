import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import { connectLegacy as connectLegacyTo, connectModern as connectModernTo } from "../serve/http/start-http.ts";
import { countTokens } from "../serve/surfaces/count-tokens.ts";
import { makeGeneratedProject, SERVERS, STAND_INS } from "./run-codemode.ts";
import { connectLegacy, connectModern } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { shareInFile } from "./share-in-file.ts";

type AnyClient = Awaited<ReturnType<typeof connectLegacy>> | Awaited<ReturnType<typeof connectModern>>;

interface Answered {
  answer: RunAnswer;
  content: JsonObject[];
  text: string;
}

async function run(client: AnyClient, code: string, limits: JsonObject = {}): Promise<Answered> {
  const result = await client.callTool({ name: "codemode.run", arguments: { code, limits } });
  const content = result.content as unknown as JsonObject[];
  const text = String(content[0]?.["text"]);
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return { answer: result.structuredContent as unknown as RunAnswer, content, text };
}

/** The module of the result that an answer has only the beginning of. */
function keptModule({ diagnostics }: RunAnswer): string {
  const hints = diagnostics.filter(({ code }) => code === "RESULT_TRUNCATED").map(({ hint = "" }) => hint);
  const found = /"(@codemode\/results\/[\w-]{22})"/.exec(hints.join());
  if (found?.[1] === undefined) throw new Error(`No result was kept: ${JSON.stringify(diagnostics)}`);
  return found[1];
}

const importing = (module: string, value = "previous.length"): string =>
  `import previous from "${module}";\nexport default ${value};`;

const ROWS = `Array.from({ length: 20_000 }, (_, id) => ({ id, name: "row " + id, text: "x".repeat(960) }))`;
const ALL_OF_ROWS =
  "[previous.length, previous.at(-1).id, previous.every(({ id, text }, index) => id === index && text.length === 960)]";

/** Small answers, a limit of all runs, and types that are checked before a run. */
const small = shareInFile(async () =>
  connectModern(
    await makeGeneratedProject({
      "codemode.config.json": {
        mcpServers: { everything: STAND_INS.everything },
        typecheck: "error",
        limits: { maxResultBytes: 100_000 },
        serve: { maxResultBytes: 100 },
      },
    }),
  ),
);

/** Large ones; the value of 20 MB and its JSON together are close to the default limit of memory. */
const large = shareInFile(async () =>
  connectLegacy(
    await makeGeneratedProject({
      "codemode.config.json": { mcpServers: {}, limits: { maxMemoryBytes: 256 * 1024 * 1024 } },
    }),
  ),
);

test("400 calls and a small result are an answer of at most 600 tokens", async () => {
  const { answer, text } = await run(
    small(),
    `import { echo } from "@codemode/servers/everything";
     let count = 0;
     for (let index = 0; index < 400; index += 1) count += String(await echo({ message: "a" })).length > 0 ? 1 : 0;
     export default { count };`,
  );
  expect(answer).toMatchObject({ result: { count: 400 }, diagnostics: [] });
  expect(answer.toolTrace).toMatchObject([{ serverId: "everything", toolName: "echo", ok: true, calls: 400 }]);
  expect(countTokens(text)).toBeLessThanOrEqual(600);
});

test("a result of 20 MB is an answer of at most 2,000 tokens, and the next script reads all of it", async () => {
  const client = large();
  const { answer, text } = await run(client, `export default ${ROWS};`);
  expect(answer.diagnostics.map(({ code }) => code)).toEqual(["RESULT_TRUNCATED"]);
  expect(countTokens(text)).toBeLessThanOrEqual(2000);
  expect(text.indexOf("RESULT_TRUNCATED")).toBeLessThan(text.indexOf('"result":['));
  expect(answer.result).toMatchObject([{ id: 0, name: "row 0" }, { id: 1 }, { id: 2 }]);
  expect(answer.diagnostics[0]?.message).toContain("{ id: number; name: string; text: string }[] /* 20000 items */");
  const whole = await run(client, importing(keptModule(answer), ALL_OF_ROWS));
  expect(whole.answer).toMatchObject({ result: [20_000, 19_999, true], diagnostics: [], toolTrace: [] });
});

test("a call may ask for more or less of the result than the default, within the limit of all runs", async () => {
  const client = small();
  const code = 'export default "x".repeat(60_000);';
  const codesOf = ({ answer }: Answered): string[] => answer.diagnostics.map(({ code: found }) => found);
  expect(codesOf(await run(client, code))).toEqual(["RESULT_TRUNCATED"]);
  expect((await run(client, code, { maxResultBytes: 80_000 })).answer).toMatchObject({ diagnostics: [] });
  expect(codesOf(await run(client, 'export default "x".repeat(110_000);', { maxResultBytes: 200_000 }))).toEqual([
    "RESULT_TRUNCATED",
  ]);
  expect(codesOf(await run(client, 'export default "x".repeat(90);', { maxResultBytes: 10 }))).toEqual([
    "RESULT_TRUNCATED",
  ]);
});

test("a result that the memory of a run cannot hold is refused with the reason", async () => {
  const { answer } = await run(
    large(),
    'export default Array.from({ length: 5e6 }, (_, id) => ({ id, name: "n" + id }));',
  );
  expect(answer).toMatchObject({ result: null, diagnostics: [{ code: "SANDBOX_LIMIT", severity: "error" }] });
});

/** Over HTTP, to clients of both eras. */
const served = shareInFile(async () => {
  const cwd = await makeGeneratedProject({
    "codemode.config.json": {
      mcpServers: { everything: SERVERS.everything },
      serve: { maxResultBytes: 100, clients: { ada: { token: "ada-token" }, bob: { token: "bob-token" } } },
    },
  });
  return serveOverHttp(cwd);
});

describe("an earlier result", () => {
  test("can be imported in every way, and is type-checked as what it is", async () => {
    const client = small();
    const rows = 'Array.from({ length: 50 }, (_, id) => (id === 49 ? { id, last: "yes" } : { id }))';
    const module = keptModule((await run(client, `export default ${rows};`)).answer);
    const good: [string, JsonValue][] = [
      [importing(module, "previous.reduce((sum, { id }) => sum + id, 0)"), 1225],
      [importing(module, "previous.at(-1)?.last.length"), 3],
      [`import { default as rows } from "${module}"; export default rows.length;`, 50],
      [`import * as all from "${module}"; export default all.default.length;`, 50],
      [`export default (await import("${module}")).default.length;`, 50],
      [`import "${module}"; export default 1;`, 1],
    ];
    for (const [code, want] of good) {
      expect([code, (await run(client, code)).answer]).toMatchObject([code, { result: want, diagnostics: [] }]);
    }
    const bad: [string, string, string][] = [
      [importing(module, "previous.map(({ idd }) => idd)"), "TYPE_ERROR", "script.ts:2:32"],
      [`import { rows } from "${module}"; export default rows;`, "IMPORT_FAILURE", "script.ts:1:10"],
    ];
    for (const [code, want, path] of bad) {
      const { answer } = await run(client, code);
      expect([code, answer]).toMatchObject([code, { result: null, diagnostics: [{ code: want, path }] }]);
    }
  });

  test("comes beside tools", async () => {
    const client = small();
    const module = keptModule((await run(client, 'export default "x".repeat(200);')).answer);
    const { answer } = await run(
      client,
      `import previous from "${module}";
       import { echo } from "@codemode/servers/everything";
       export default [previous.length, await echo({ message: "hi" })];`,
    );
    expect(answer).toMatchObject({ result: [200, expect.stringContaining("hi")], diagnostics: [] });
    expect(answer.toolTrace).toHaveLength(1);
  });

  test("is nothing to another client, nor to another session of the same one, as if it had never been", async () => {
    const { url } = served();
    const legacy = (name: string): Promise<AnyClient> => connectLegacyTo(url, `${name}-token`);
    const modern = (name: string): Promise<AnyClient> => connectModernTo(url, `${name}-token`);
    const never = (id: string) => [`There is no result "${id}".`, expect.stringContaining("run that script again")];
    const saysOf = async (client: AnyClient, module: string): Promise<(string | undefined)[]> => {
      const { diagnostics } = (await run(client, importing(module))).answer;
      return [diagnostics[0]?.message, (diagnostics[0] as Diagnostic).hint];
    };
    for (const connect of [legacy, modern]) {
      const ada = await connect("ada");
      const module = keptModule((await run(ada, 'export default "x".repeat(200);')).answer);
      const id = module.split("/").at(-1) as string;
      // Ada's import is bundled first, and may be cached.
      expect((await run(ada, importing(module))).answer.result).toBe(200);
      for (const other of [await connect("bob"), await (connect === legacy ? modern : legacy)("ada")]) {
        expect(await saysOf(other, module)).toEqual(never(id));
        expect(await saysOf(other, `${module.slice(0, -22)}${"A".repeat(22)}`)).toEqual(never("A".repeat(22)));
      }
      const guess = `globalThis.__codemode_result__ = await globalThis.__codemode_call__("@codemode/results", "${id}", "{}");`;
      expect(String((await run(await connect("bob"), guess)).answer.result)).toContain("no such result");
    }
    const [one, two] = [await legacy("ada"), await legacy("ada")];
    const module = keptModule((await run(one, 'export default "x".repeat(200);')).answer);
    expect(await saysOf(two, module)).toEqual(never(module.split("/").at(-1) as string));
  });

  test("goes when many large ones follow, and the answer says what to do", async () => {
    const client = large();
    const modules: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      modules.push(keptModule((await run(client, `export default "${index}".repeat(25e6);`)).answer));
    }
    const found = [];
    for (const module of modules) found.push((await run(client, importing(module, "previous[0]"))).answer.result);
    expect(found).toEqual([null, null, "2", "3"]);
  });
});

test.each([
  ["first SDK", connectLegacyTo],
  ["revision 2026-07-28", connectModernTo],
])(
  "an image of a tool arrives at a client of the %s as an image, beside a result that names it",
  async (_, connect) => {
    const { answer, content } = await run(
      await connect(served().url, "ada-token"),
      `import { get_tiny_image } from "@codemode/servers/everything";
     export default { shot: await get_tiny_image() };`,
      { maxResultBytes: 1000 },
    );
    expect(answer.result).toMatchObject({
      shot: { content: [{ type: "text" }, { type: "image", mimeType: "image/png", content: 1 }, { type: "text" }] },
    });
    expect(content).toHaveLength(2);
    expect(content[1]).toMatchObject({ type: "image", mimeType: "image/png" });
    const bytes = Buffer.from(String(content[1]?.["data"]), "base64");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  },
);
