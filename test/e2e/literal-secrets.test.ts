import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";

const TOKEN = "sk-test-4f1c9ab07de35268";
const SECRET = "s3cr3t-0b5e7c1d";
const DSN = "postgres://field:pa55word-field@127.0.0.1/shop";
const { command, args } = STAND_INS.everything;

/** All files of a project as one text, those in tarballs too. */
async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => {
    const bytes = await readFile(file);
    return (file.endsWith(".tgz") ? gunzipSync(bytes) : bytes).toString();
  });
  return (await Promise.all(texts)).join("\n");
}

test("add connects with the secrets that it was given, and writes none of them", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const words = ["--env", `SHOP_TOKEN=${TOKEN}`, "--env", "LEVEL=debug", "--", command, ...args, "--dsn", DSN];
  const added = await typeCommand(["add", "shop", ...words], { cwd });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("export SHOP_DSN=…");
  expect(added.stderr).toContain("export SHOP_TOKEN=…");
  const config = JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8")) as unknown;
  expect(config).toMatchObject({
    mcpServers: {
      shop: { args: [...args, "--dsn", "${SHOP_DSN}"], env: { SHOP_TOKEN: "${SHOP_TOKEN}", LEVEL: "debug" } },
    },
  });
  const everything = (await readAll(cwd)) + added.stderr + added.stdout;
  for (const secret of [TOKEN, DSN, "pa55word-field"]) expect(everything).not.toContain(secret);

  // What is locked then equals what is locked with the variables set.
  const env = { SHOP_TOKEN: TOKEN, SHOP_DSN: DSN };
  expect(await typeCommand(["lock", "--check"], { cwd, env })).toMatchObject({ code: 0 });
});

test("init takes secrets of a private file over by the names of variables", async () => {
  const home = await makeProject({
    ".claude.json": {
      mcpServers: {
        gh: {
          command: "gh-mcp",
          args: ["--log", "x"],
          env: { GITHUB_TOKEN: "ghp_0123456789abcdefghij", LEVEL: "info" },
        },
        docs: {
          type: "http",
          url: "https://x.example.com/mcp?api_key=abcd1234abcd&region=eu",
          headers: { Authorization: `Bearer ${TOKEN}` },
        },
      },
    },
  });
  const cwd = await makeProject({});
  const env = {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    APPDATA: home,
    DOCS_TOKEN: TOKEN,
  };
  const { code, stderr } = await typeCommand(["init"], { cwd, env });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8"))).toMatchObject({
    mcpServers: {
      gh: { env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "info" } },
      docs: {
        url: "https://x.example.com/mcp?api_key=${DOCS_API_KEY}&region=eu",
        headers: { Authorization: "Bearer ${DOCS_TOKEN}" },
      },
    },
  });
  expect(stderr).toContain(`export GITHUB_TOKEN=…   # env.GITHUB_TOKEN of "gh" in ${join(home, ".claude.json")}`);
  expect(stderr).toContain("export DOCS_API_KEY=…");
  // That one is set to the right value already.
  expect(stderr).not.toContain("export DOCS_TOKEN");
  for (const secret of [TOKEN, "ghp_0123456789", "abcd1234abcd"]) expect(stderr).not.toContain(secret);
});

test("lock and doctor warn of a literal secret by its place, pack refuses it, and no file but the configuration holds it", async () => {
  const shop = { command, args: [...args, "--token", TOKEN] };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { shop } } });
  const place = `args[${args.length + 1}]`;
  const locked = await typeCommand(["lock"], { cwd });
  expect(locked.code, locked.stderr).toBe(0);
  expect(locked.stderr).toContain(`warning: ${place} of the server "shop" looks like a secret`);
  expect(locked.stderr).toContain("${SHOP_TOKEN}");
  const lockText = await readFile(join(cwd, "codemode.lock.json"), "utf8");
  expect(lockText).toContain('"${SHOP_TOKEN}"');

  const doctor = await typeCommand(["doctor", "--json"], { cwd });
  expect(doctor.stdout).toContain('"configuration.secrets"');
  const packed = await typeCommand(["pack"], { cwd });
  expect(packed).toMatchObject({ code: 2, stdout: "" });
  expect(packed.stderr).toContain(`Server "shop": ${place} seems to hold a secret`);

  const outputs = [locked, doctor, packed].map(({ stdout, stderr }) => stdout + stderr).join("");
  const others = (await readAll(cwd)).replaceAll(JSON.stringify({ mcpServers: { shop } }, null, 2), "");
  expect(outputs + others).not.toContain(TOKEN);
});

test("what is listed under notSecret is locked, not warned of, and packed", async () => {
  const shop = { command, args: [...args, "--token", "shop-window-2026"], notSecret: [`args[${args.length + 1}]`] };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { shop } } });
  const locked = await typeCommand(["lock"], { cwd });
  expect(locked.stderr).not.toContain("warning");
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toContain("shop-window-2026");
  expect(await typeCommand(["pack"], { cwd })).toMatchObject({ code: 0 });
});

test("a server that repeats its credentials shows them to no script, and they are in no answer and no file that is written", async () => {
  const echoing = {
    ...{ command, args: [resolve("test/servers/echoing-server.mjs"), "--token", TOKEN, "--dsn", DSN] },
    env: { ECHO_TOKEN: "${CODEMODE_TEST_TOKEN}", LITERAL: `${SECRET}-literal` },
  };
  const script = `import { fail, tell } from "@codemode/servers/echoing";
    console.log(await tell({}));
    const failed = await fail().catch((error) => error.message);
    export default [await tell({}), failed];`;
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { echoing } } });
  const options = ["--record", "run.json", "--report", "run.html", "--report-payloads"];
  const env = { CODEMODE_TEST_TOKEN: SECRET };
  const ran = await typeCommand(["run", "--eval", script, "--json", ...options], { cwd, env });
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const masked = "[redacted: ECHO_TOKEN] --token [redacted: args[2]] --dsn [redacted: args[4]]";
  expect(JSON.parse(ran.stdout)).toMatchObject({
    logs: [{ message: `It is ${masked}.` }],
    result: [`It is ${masked}.`, `Not even ${masked} helps.`],
  });
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toContain(`Tells ${masked}`);
  const config = JSON.stringify({ mcpServers: { echoing } }, null, 2);
  const everything = ran.stdout + ran.stderr + (await readAll(cwd)).replaceAll(config, "");
  for (const secret of [TOKEN, DSN, "pa55word-field", SECRET]) expect(everything).not.toContain(secret);
});
