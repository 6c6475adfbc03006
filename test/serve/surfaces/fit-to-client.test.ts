import { describe, expect, test } from "vitest";
import { toServeSettings } from "../../../schemas/config/serve-settings.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import { makeAdmission, admitView } from "../../../serve/admission/admission.ts";
import { type ClientTraits, UNKNOWN_CLIENT } from "../../../serve/client-traits.ts";
import { present } from "../../../serve/present.ts";
import type { ServedAnswer, ToolCallResult } from "../../../serve/surface.ts";
import { connectAs } from "../connect-as.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { ownLockfile, plainCall, presentationOf, viewOf } from "./view-of.ts";

const IMAGE = { type: "image", data: "aGk=", mimeType: "image/png" };
const ANSWER: ServedAnswer = { diagnostics: [], result: { content: 1 }, logs: [], toolTrace: [], media: [IMAGE] };
const { media: _, ...STRUCTURED } = ANSWER;
const TEXT = { type: "text", text: JSON.stringify(STRUCTURED) };

const FORMS: [ClientTraits["answer"], ToolCallResult][] = [
  ["both", { content: [TEXT, IMAGE], structuredContent: { ...STRUCTURED } as never }],
  ["text", { content: [TEXT, IMAGE] }],
  ["structured", { content: [IMAGE], structuredContent: { ...STRUCTURED } as never }],
];

describe.each(FORMS)("a client that reads %s", (answer, want) => {
  const client = { ...UNKNOWN_CLIENT, answer };
  const call = { ...plainCall, client };

  test("gets an answer once, and pictures in any case", async () => {
    const { view } = viewOf(ownLockfile);
    const { surface } = present({ ...view, run: async () => ANSWER }, toServeSettings());
    expect(await surface.callTool("codemode.run", { code: "" }, call)).toEqual(want);
    const [tool] = await surface.listTools(client);
    expect(tool?.["outputSchema"] !== undefined).toBe(answer !== "text");
  });

  test("learns why a call failed", async () => {
    const { view } = viewOf(ownLockfile);
    const queue = { maxRunning: 1, maxWaiting: 0 };
    const admission = makeAdmission({ queue, rateLimit: { runsPerMinute: 1 } });
    const unknown = failedAnswer([{ severity: "error", code: "SCRIPT_UNAVAILABLE", message: "There is none." }]);
    const limited = admitView({ ...view, run: async () => unknown }, admission, "ada");
    const { surface } = present(limited, toServeSettings());
    const read = async (input: object): Promise<string> => {
      const result = await surface.callTool("codemode.run", input as never, call);
      return JSON.stringify(answer === "structured" ? result?.structuredContent : result?.content);
    };
    expect(await read({ code: 3 })).toContain("INVALID_REQUEST");
    expect(await read({ script: "nothing" })).toContain("SCRIPT_UNAVAILABLE");
    expect(await read({ code: "1" })).toContain("RATE_LIMITED");
    const direct = present(limited, toServeSettings({ direct: ["memory/*"] })).surface;
    const refused = await direct.callTool("memory_read_graph", {}, call);
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("RATE_LIMITED") }] });
  });
});

test("what a server answers in one form alone is not lost", async () => {
  const tools = [{ name: "buy", inputSchema: { type: "object" }, outputSchema: { type: "object" } }];
  const { view } = viewOf(lockfileOf({ shop: tools }));
  const results: ToolCallResult[] = [
    { content: [{ type: "text", text: "done" }] },
    { content: [], structuredContent: { ok: 1 } },
  ];
  const callTool = async () => results.shift() as ToolCallResult;
  const { surface } = present({ ...view, callTool }, toServeSettings({ direct: ["shop/*"] }));
  const call = (answer: ClientTraits["answer"]) =>
    surface.callTool("shop_buy", {}, { ...plainCall, client: { ...UNKNOWN_CLIENT, answer } });
  expect(await call("structured")).toEqual({ content: [{ type: "text", text: "done" }] });
  expect(await call("text")).toEqual({ content: [{ type: "text", text: '{"ok":1}' }] });
});

test("Cline gets text alone, in either era, and its SDK accepts that", async () => {
  for (const era of ["legacy", "modern"] as const) {
    const client = await connectAs("cline", presentationOf(ownLockfile), era);
    expect(await client.listNames()).toEqual(["codemode_run"]);
    const result = await client.callTool("codemode_run", { code: "1" });
    expect(result.structuredContent).toBeUndefined();
    expect(result.content).toEqual([{ type: "text", text: expect.stringContaining('"result":1') }]);
  }
});
