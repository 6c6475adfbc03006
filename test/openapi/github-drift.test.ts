import { resolve } from "node:path";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { createOpenApiServer } from "../../openapi/server.ts";
import { diffServer, type ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import { CHANGE_SEVERITIES, type ChangeSeverity } from "../../schemas/diff/change.ts";
import { pointerStep } from "../../schemas/json/pointer-step.ts";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";

/** A change as a person reads it in the two documents. */
interface ReadChange {
  operation: string;
  change: string;
  class: ChangeSeverity;
}

/** Every eighth changed operation whose change has at most thirty places, and six whose arguments changed or that are gone. */
const READ = JSON.parse(readFileSync("test/openapi/fixtures/github-changes.json", "utf8")) as ReadChange[];

async function lockDocument(folder: string): Promise<LockedServer> {
  const document = resolve(`test/openapi/documents/node_modules/${folder}/generated/api.github.com.json`);
  const { tools } = await createOpenApiServer(document, { mock: true });
  const source = { transport: "stdio", command: "npx", args: [], env: new Map(), inheritEnv: [] } as const;
  return lockServer(
    { id: "github", name: "github", source: { ...source, args: [], inheritEnv: [] } },
    {
      ...{
        tools: JSON.parse(JSON.stringify(tools)) as readonly WireTool[],
        serverInfo: { name: "github", version: "1" },
        protocolVersion: "2025-11-25",
      },
      ...{ era: "modern", capabilities: {}, clientCapabilities: {} },
    },
  );
}

let drift: ServerChange;
beforeAll(async () => {
  const [before, after] = [await lockDocument("octokit-openapi-19"), await lockDocument("@octokit/openapi")];
  drift = diffServer("github", before, after) as ServerChange;
}, 60_000);

function classOf(tool: string): ChangeSeverity | undefined {
  const place = `/tools${pointerStep(tool)}`;
  const found = new Set(
    drift.changes
      .filter(({ pointer }) => pointer === place || pointer.startsWith(`${place}/`))
      .map(({ severity }) => severity),
  );
  return CHANGE_SEVERITIES.find((severity) => found.has(severity));
}

test("between two versions of GitHub's document operations are added, removed and changed, each with a class", () => {
  const { toolsAdded, toolsRemoved, toolsChanged } = drift;
  const count = (severity: ChangeSeverity) => toolsChanged.filter((tool) => classOf(tool) === severity).length;
  const counts = { breaking: count("breaking"), compatible: count("compatible"), text: count("text") };
  expect({ added: toolsAdded.length, removed: toolsRemoved.length, changed: toolsChanged.length, ...counts }).toEqual({
    ...{ added: 275, removed: 82, changed: 387 },
    ...{ breaking: 204, compatible: 135, text: 48 },
  });
});

test.each(READ)("$operation: $change", ({ operation, class: expected }) => {
  expect(classOf(operation)).toBe(expected);
});
