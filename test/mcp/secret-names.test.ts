import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../engine/load-config.ts";
import { writeLockfile } from "../../engine/project/lockfile-file.ts";
import { lookAtConfiguration } from "../../extras/doctor/configuration.ts";
import { makePayloadPrinter } from "../../extras/observe/telemetry/print-payload.ts";
import { packServers } from "../../extras/publish/pack-servers.ts";
import { findCredentials } from "../../runtime/mcp/mask-credentials.ts";
import { resolveTarget } from "../../runtime/mcp/resolve-target.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import { takeOutSecrets, warnOfSecrets } from "../../schemas/secrets/secrets-in-config.ts";

/** Of a secret under each of these names, every command and every mask says the same. */
const SECRET = [
  ...["PGPASSWORD", "MYSQLPASSWORD", "MYSQL_PWD", "DBPASS", "SSHPASS", "DB_PASSWD", "JIRA_PW", "userPassphrase"],
  ...["clientsecret", "CLIENT_SECRET", "clientSecret", "AWS_SECRET_ACCESS_KEY", "APP_SECRETS", "SHARED_SECRET_OLD"],
  ...["GITHUB_TOKEN", "githubtoken", "SLACK_BOT_TOKEN_2", "API_TOKENS", "refresh.token", "NPM_TOKEN_PROD", "IDTOKEN"],
  ...[
    "OPENAI_API_KEY",
    "OPENAIKEY",
    "apikey",
    "API_KEYS",
    "PRIVATE_KEY_BASE64",
    "STRIPE_KEY",
    "MASTERKEY",
    "X-Api-Key",
  ],
  ...["SENTRY_DSN", "GITLAB_PAT", "SESSION", "SESSION_COOKIE", "BASIC_AUTH", "GOOGLE_CREDENTIALS", "WALLET_MNEMONIC"],
];
const PLAIN = [
  ...["MAX_TOKENS", "TOKEN_LIMIT", "AUTH_METHOD", "PUBLIC_KEY", "CACHE_KEY", "PRIMARY_KEY", "PROJECT_KEY", "MONKEY"],
  ...["COMPASS", "BYPASS", "PASSENGERS", "KEYBOARD", "SECRETARY", "TOKENIZER", "AUTHOR", "AUTHORITY", "PATTERN"],
  ...["AWS_REGION", "DATABASE", "NODE_ENV", "PASSWORD_POLICY", "SECRET_NAME", "ACCOUNT_ID", "COOKIE_DOMAIN", "KEYS"],
];
const NAMES = [...SECRET, ...PLAIN];
/** Nothing in it tells that it is a secret. */
const valueOf = (name: string): string => `corr3ct-horse-${NAMES.indexOf(name)}x`;
const SNAPSHOT = {
  ...{ era: "legacy", protocolVersion: "2025-06-18", serverInfo: { name: "s", version: "1" }, capabilities: {} },
  ...{ clientCapabilities: {}, tools: [] },
} as const;

test("`init`, `lock`, `doctor`, `pack`, masks and traces give one verdict on a name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "codemode-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const literal = { command: "x", env: Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) };
  const file = { mcpServers: { one: literal }, policy: {} };
  writeFileSync(join(folder, "codemode.config.json"), JSON.stringify(file));
  const config = await loadConfig({ cwd: folder });

  const taken = takeOutSecrets(new Map([["one", literal]])).secrets.map(({ place }) => place);
  const warned = warnOfSecrets(config).map((line) => /warning: (\S+)/.exec(line)?.[1]);
  const { findings } = await lookAtConfiguration({ cwd: folder });
  const secrets = findings.find(({ id }) => id === "configuration.secrets");
  const places = (secrets?.facts?.["places"] ?? []) as string[];
  const doctor = places.map((place) => place.replace("one ", ""));
  const [server] = config.servers;
  if (server === undefined) throw new Error("no server");
  await writeLockfile(config, { servers: new Map([["one", lockServer(server, SNAPSHOT as never)]]) } as never);
  const packed = await packServers({
    ...{ config, names: [], out: join(folder, "packages") },
    preparing: { frozen: true, note: () => undefined },
  }).then(
    () => "",
    (error: Error) => error.message,
  );
  const expected = SECRET.map((name) => `env.${name}`);
  for (const places of [taken, warned, doctor]) expect(places).toEqual(expected);
  expect(packed).toContain(`"one": ${expected.join(", ")} seems to hold a secret`);

  // At run time the values come from variables, and each name is masked that the commands would have taken out.
  const variables = Object.fromEntries(NAMES.map((name, at) => [`V${at}`, valueOf(name)]));
  const filled = { command: "x", env: Object.fromEntries(NAMES.map((name, at) => [name, `\${V${at}}`])) };
  const [running] = toConfig({ mcpServers: { one: filled } }, "config.json", folder).servers;
  if (running === undefined) throw new Error("no server");
  const masked = Object.values(findCredentials(resolveTarget(running, folder, { env: variables })));
  expect([...new Set(masked)].toSorted()).toEqual(SECRET.map(valueOf).toSorted());

  const payload = JSON.parse(makePayloadPrinter({})(Object.fromEntries(NAMES.slice(0, 20).map((name) => [name, 1]))));
  expect(payload).toEqual(Object.fromEntries(NAMES.slice(0, 20).map((name) => [name, "[redacted]"])));
});
