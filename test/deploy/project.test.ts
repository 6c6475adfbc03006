import { cp, lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCodemode } from "../e2e/run-codemode.ts";
import { serveOverHttp } from "../e2e/serve-over-http.ts";
import { findFreePort } from "../scale/ports.ts";
import { connectModern } from "../serve/http/start-http.ts";
import { makeTestFolder } from "../make-test-folder.ts";

/** The project of `deploy/project` as its image holds it. */
async function installProject(): Promise<string> {
  const folder = await makeTestFolder();
  await cp("deploy/project/codemode.lock.json", join(folder, "codemode.lock.json"));
  // Another program of this machine can listen on the port of the image.
  const config = await readFile("deploy/project/codemode.config.json", "utf8");
  await writeFile(join(folder, "codemode.config.json"), config.replace(":9464", `:${await findFreePort()}`));
  await mkdir(join(folder, "node_modules/@modelcontextprotocol"), { recursive: true });
  const server = "node_modules/@modelcontextprotocol/server-everything";
  await symlink(resolve(server), join(folder, server));
  return folder;
}

/** Each file and folder, and when it was last changed. */
async function readTimes(folder: string): Promise<Map<string, number>> {
  const paths = await readdir(folder, { recursive: true });
  const times = paths.toSorted().map(async (path) => [path, (await lstat(join(folder, path))).mtimeMs] as const);
  return new Map([...(await Promise.all(times)), [".", (await lstat(folder)).mtimeMs]]);
}

test("the project of the image is served as its manifest says, and nothing is written in it or at home", async () => {
  const cwd = await installProject();
  expect(await runCodemode(["generate"], { cwd })).toMatchObject({ code: 0 });
  const before = await readTimes(cwd);
  const home = join(cwd, "no-such-home");
  const secrets = {
    CODEMODE_TOKEN: "some-token",
    CODEMODE_METRICS_TOKEN: "other-token",
  };
  const places = { HOME: home, XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state") };
  const { url, child, ended, lines } = await serveOverHttp(cwd, { ...secrets, ...places }, ["--frozen"]);

  for (const probe of ["/health", "/ready"]) expect((await fetch(new URL(probe, url))).status).toBe(200);
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
  const client = await connectModern(url, secrets.CODEMODE_TOKEN);
  const code = `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 2, b: 3 });`;
  const { content } = await client.callTool({ name: "codemode.run", arguments: { code } });
  expect(JSON.stringify(content)).toContain("The sum of 2 and 3 is 5.");
  await client.close();
  child.kill("SIGTERM");
  // The one request without a token is in the log, and nothing else is.
  const noted = lines.filter((line) => !line.includes('"level":"info"'));
  expect([await ended, noted.map((line) => (JSON.parse(line) as { token?: string }).token)]).toEqual([0, ["missing"]]);
  expect(await readTimes(cwd)).toEqual(before);
});
