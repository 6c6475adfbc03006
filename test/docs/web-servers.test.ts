import { once } from "node:events";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";
import { askForTasks, startWebServer, TASKS } from "./ask-web-server.ts";
import { linkPackages, writeWebProject } from "./write-web-project.ts";

test("the Express server of docs/web-servers.md answers requests at the same time, and ends with its signal", async () => {
  const cwd = await makeTestFolder();
  await linkPackages(cwd, { codemode: ".", express: "node_modules/express" });
  await writeWebProject(cwd);
  const { server, port } = await startWebServer(cwd, ["server.js"]);
  expect(await askForTasks(port)).toEqual(TASKS);
  server.kill("SIGTERM");
  expect(await once(server, "exit")).toEqual([0, null]);
});
