import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { INHERITED } from "@codemode/runtime/server-environment";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { DIAGNOSTIC_CODES } from "../../schemas/run/answer.ts";
import { nameConfigKey } from "../../engine/project/config/explain-config-problem.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { DIFFERENCES } from "../differential/differences.ts";
import { ATTACKS } from "../escape/attacks/all.ts";
import { readCodeFacts } from "./code-facts.ts";
import { parsePage } from "./parse-page.ts";
import { listKeys, printCommand, printFields, printKeys, table } from "./print-reference.ts";
import { CLIENT_TABLES } from "./print-clients.ts";
import { printLinked } from "./print-linked.ts";
import { TELEMETRY_PARTS } from "./print-telemetry.ts";
import { checkRegions, renewPage } from "./regions.ts";

const facts = readCodeFacts();

/** The tables of docs/errors.md. */
const ERROR_TABLES: Record<string, () => string> = { "next-steps": printNextSteps, "exit-codes": printExitCodes };

interface Reference {
  page: string;
  /** What has to have a region on the page. */
  names: readonly string[];
  print: (name: string) => string | undefined;
}

const REFERENCES: readonly Reference[] = [
  {
    page: "docs/cli.md",
    names: ["options", ...facts.commands.map(({ usage }) => usage.split(" ")[0] as string)],
    print: (name) => printCommand(name, facts),
  },
  {
    page: "docs/configuration.md",
    names: [...Object.keys(facts.configSchema.properties ?? {}), "environment"],
    print: (name) => (name === "environment" ? printEnvironment() : printKeys(name, facts)),
  },
  {
    page: "docs/errors.md",
    names: ["next-steps", "exit-codes"],
    print: (name) => ERROR_TABLES[name]?.(),
  },
  {
    page: "docs/lockfile.md",
    names: ["file", ...lockfileParts()],
    print: (name) => printFields(name, facts),
  },
  {
    page: "SECURITY.md",
    names: ["attacks"],
    print: (name) => (name === "attacks" ? printAttacks() : undefined),
  },
  {
    page: "docs/sandbox.md",
    names: ["differences"],
    print: (name) => (name === "differences" ? printDifferences() : undefined),
  },
  {
    page: "docs/install.md",
    names: Object.keys(CLIENT_TABLES),
    print: (name) => CLIENT_TABLES[name]?.(),
  },
  {
    page: "docs/telemetry.md",
    names: Object.keys(TELEMETRY_PARTS),
    print: (name) => TELEMETRY_PARTS[name]?.(),
  },
  {
    page: "docs/packages.md",
    names: ["linked"],
    print: (name) => (name === "linked" ? printLinked() : undefined),
  },
];

function printNextSteps(): string {
  const steps = [...new Set(Object.values(DIAGNOSTIC_CODES))].toSorted();
  const codesOf = (step: string) =>
    Object.entries(DIAGNOSTIC_CODES).flatMap(([code, next]) => (next === step ? [`\`${code}\``] : []));
  return table(
    ["next step", "codes"],
    steps.map((step) => [`\`${step}\``, codesOf(step).join(", ")]),
  );
}

function printExitCodes(): string {
  const exitCodes = [...new Set(facts.userErrors.values())].toSorted((left, right) => left - right);
  const codesOf = (exitCode: number): string[] =>
    [...facts.userErrors]
      .filter(([, other]) => other === exitCode)
      .map(([code]) => `[\`${code}\`](#${code.toLowerCase()})`);
  return table(
    ["exit code", "codes"],
    exitCodes.map((exitCode) => [String(exitCode), codesOf(exitCode).toSorted().join(", ")]),
  );
}

function printEnvironment(): string {
  const rows = INHERITED.map(({ purpose, names }) => [purpose, names.map((name) => `\`${name}\``).join(", ")]);
  return table(["for", "variables"], rows);
}

function printDifferences(): string {
  const rows = DIFFERENCES.map(({ name, node, sandbox, why }) => `| ${name} | ${node} | ${sandbox} | ${why} |`);
  return ["| what | in plain Node | in the sandbox | why |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function printAttacks(): string {
  const themes = Object.entries(ATTACKS);
  const rows = themes.map(([theme, attacks]) => `| ${theme} | ${attacks.length} |`);
  return [
    "| attacks by | how many |",
    "| --- | ---: |",
    ...rows,
    `| all | ${themes.flatMap(([, attacks]) => attacks).length} |`,
  ].join("\n");
}

function lockfileParts(): string[] {
  const parts = Object.entries(facts.lockfileSchema.definitions ?? {});
  return parts.flatMap(([name, part]) => (part.properties === undefined ? [] : [name]));
}

// `npm run docs` brings the pages up to date.
test.each(REFERENCES)("$page says what the code says", async ({ page, names, print }) => {
  const text = await readFile(page, "utf8");
  expect(checkRegions(text, names)).toEqual([]);
  await expect(await renewPage(text, print)).toMatchFileSnapshot(resolve(page));
});

test("docs/cli.md shows an example of each command", async () => {
  const { blocks } = parsePage(await readFile("docs/cli.md", "utf8"));
  const shown = blocks.filter(({ language }) => language !== "text").map(({ text }) => text);
  const names = facts.commands.map(({ usage }) => `codemode ${usage.split(" ")[0]}`);
  expect(names.filter((name) => !shown.some((text) => text.includes(name)))).toEqual([]);
});

test("an error names a key of the configuration by its anchor on the page", async () => {
  const { anchors, headings } = parsePage(await readFile("docs/configuration.md", "utf8"));
  const ids = new Set([...anchors, ...headings.map(({ anchor }) => anchor)]);
  const keys = Object.entries(facts.configSchema.properties ?? {}).flatMap(([name, node]) =>
    listKeys(name, node, facts.configSchema).map(({ path }) => path),
  );
  const schema = facts.configSchema;
  const named = keys.map((path) => nameConfigKey(`/${path.replaceAll("NAME", "a").replaceAll(".", "/")}`, schema));
  expect(named).toEqual(keys);
  expect(keys.filter((key) => !ids.has(key))).toEqual([]);
  expect(nameConfigKey("/serve/clients/a/name", schema)).toBe("serve.clients");
  expect(nameConfigKey("/mcpServers/a/args/2", schema)).toBe("mcpServers.NAME.args");
  expect(nameConfigKey("", schema)).toBeUndefined();
});

test("the defaults that the schema of the configuration tells are those of the program", () => {
  const config = toConfig(
    { mcpServers: { one: { command: "one" } }, audit: { file: "audit.jsonl" } },
    "codemode.config.json",
    "/",
  ) as unknown;
  const [server] = (config as { servers: unknown[] }).servers;
  const described = Object.entries(facts.configSchema.properties ?? {})
    .flatMap(([name, node]) => listKeys(name, node, facts.configSchema))
    .filter(({ node }) => node.default !== undefined);
  expect(described.length).toBeGreaterThan(15);
  for (const { path, node } of described) {
    const ofServer = path.startsWith("mcpServers.NAME.");
    const keys = path.replace("mcpServers.NAME.", "").split(".");
    // What the program has under another shape: disabled servers are gone, named scripts and clients are lists.
    if (keys.includes("NAME") || path === "mcpServers.NAME.disabled") continue;
    // Where these hold depends on whose connection it is, and on the isolation.
    if (path === "mcpServers.NAME.idleMs" || path === "sandbox.reuse") continue;
    expect([path, valueAt(ofServer ? server : config, keys)]).toEqual([path, node.default]);
  }
});

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (inner as { [key: string]: unknown } | undefined)?.[key], value);
}

test("the schema of the lockfile has the fields of the program, and every lockfile of this repository fits it", async () => {
  const keysOf = (name: string): string[] =>
    Object.keys(facts.lockfileSchema.definitions?.[name]?.properties ?? {}).toSorted();
  const typeOf = (name: string): string[] => [...new Set(facts.lockfileTypes.get(name))].toSorted();
  // The id is the key in the file; what is of one process is never written.
  const isWritten = (key: string): boolean => !["id", "isPartial", "packageFolder", "pending"].includes(key);
  expect(typeOf("LockedServer").filter(isWritten)).toEqual(keysOf("server"));
  expect(typeOf("LockedTool").filter(isWritten)).toEqual(keysOf("tool"));
  expect(typeOf("LockedPackage")).toEqual(keysOf("package"));
  expect(typeOf("LockedSource")).toEqual([...new Set([...keysOf("stdio"), ...keysOf("remote")])].toSorted());
  const check = new Ajv({ strict: false }).compile(facts.lockfileSchema);
  check(JSON.parse(await readFile("codemode.lock.json", "utf8")));
  expect(check.errors).toBeNull();
});
