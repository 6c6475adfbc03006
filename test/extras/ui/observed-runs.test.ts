import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLog } from "../../../engine/log/open-log.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import type * as Project from "../../../extras/ui/server/ui-project.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

it("writes down a run that the type checker stops, as any other", async () => {
  const folder = await makeTestFolder();
  const file = { mcpServers: {}, audit: { file: "audit.jsonl" }, typecheck: "error" };
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify(file));
  const config = await loadConfig({ cwd: folder });

  // Its processes are found beside what was built.
  const built = new URL("../../../dist/extras/ui/server/ui-project.js", import.meta.url);
  const { openUiProject } = (await import(built.href)) as typeof Project;
  const log = openLog("silent", "json", (text) => text);
  const project = await openUiProject(config, log);
  onTestFinished(() => project.close());
  const { host } = await project.ready;
  const script = { name: "script.ts", code: "const text: number = 'a';\nexport default text;" };
  const answer = await host.run({ script, access: ownAccess(config.policy), approve: async () => "refused" });
  expect(answer.diagnostics).toMatchObject([{ code: "TYPE_ERROR" }]);

  const lines = (await readFile(join(folder, "audit.jsonl"), "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: "run.started", origin: "ui" },
    { event: "run.ended", ok: false, codes: ["TYPE_ERROR"] },
  ]);
});
