import { describe, expect, test } from "vitest";
import { toServeSettings } from "../../schemas/config/serve-settings.ts";
import { CLIENT_TRAITS, traitsOf, UNKNOWN_CLIENT } from "../../serve/client-traits.ts";
import { present, type Presentation } from "../../serve/present.ts";
import { ownLockfile, viewOf } from "./surfaces/view-of.ts";
import { connectAs } from "./connect-as.ts";

const shown = (toolName?: string): Presentation =>
  present(viewOf(ownLockfile).view, toServeSettings(toolName === undefined ? {} : { toolName }));

describe("each client sees the run tool under a name that its model's API accepts", () => {
  test.each([
    ["claude-code", "codemode.run"],
    ["codex-mcp-client", "codemode.run"],
    ["gemini-cli-mcp-client", "codemode.run"],
    ["my own client", "codemode.run"],
    ["qwen-cli-mcp-client-codemode", "codemode_run"],
    ["continue-cli-client", "codemode_run"],
    ["@cline/core", "codemode_run"],
    ["ai-sdk-mcp-client", "codemode_run"],
    ["@langchain/mcp-adapters", "codemode_run"],
    ["codemode", "codemode_run"],
    ["cursor-vscode", "codemode_run"],
  ])("%s sees %s", async (client, want) => {
    for (const era of ["legacy", "modern"] as const) {
      const names = await (await connectAs(client, shown(), era)).listNames();
      expect([era, names]).toEqual([era, [want]]);
    }
  });

  test("a configured name wins, with a dot or without", async () => {
    for (const name of ["codemode.run", "company_code"]) {
      expect(await (await connectAs("ai-sdk-mcp-client", shown(name))).listNames()).toEqual([name]);
    }
  });

  test("a call is answered by every spelling, whichever the client sees", async () => {
    const { callTool } = await connectAs("ai-sdk-mcp-client", shown());
    for (const name of ["codemode.run", "codemode_run", "codemode-run", "run"]) {
      expect(await callTool(name, { code: "1" })).toMatchObject({ structuredContent: { result: 1 } });
    }
  });
});

test("no output schema is promised to a client that gets text alone", async () => {
  const { surface } = shown();
  for (const traits of [UNKNOWN_CLIENT, ...CLIENT_TRAITS]) {
    const [tool] = await surface.listTools(traits);
    expect([traits.client, tool !== undefined && "outputSchema" in tool]).toEqual([
      traits.client,
      traits.answer !== "text",
    ]);
  }
});

test("what a client calls itself may be anything", () => {
  for (const name of [undefined, "", "x".repeat(1_000_000), "codemode\n", "Cline\u0000", "__proto__"]) {
    expect(traitsOf(name)).toBe(UNKNOWN_CLIENT);
  }
});
