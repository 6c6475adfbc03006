// npm run clients [-- CLIENT…] [--scenario NAME]… [--folder FOLDER] [--long SECONDS] [--print]
// Tries real clients with a scripted model on this machine, and writes docs/clients.md. Nothing but npm uses the network.
import { writeFileSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readRegion, renewPage } from "../docs/regions.ts";
import type { Client } from "./client.ts";
import { dependenciesOf, installPackages, versionOf } from "./install-packages.ts";
import { CLIENTS } from "./list-clients.ts";
import { type ClientResult, PAGE_PARTS } from "./print-page.ts";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.ts";
import { tryClient } from "./try-client.ts";

const PAGE = "docs/clients.md";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: "string", multiple: true, default: [...SCENARIO_NAMES] },
    folder: { type: "string", default: "../codemode-clients" },
    long: { type: "string", default: "70" },
    print: { type: "boolean", default: false },
  },
});

const folder = resolve(values.folder);
const longSeconds = Number(values.long);
const clients = values.print ? [] : choose(positionals);
const scenarios = values.scenario.map(toScenario);

for (const client of clients) await tryAndKeep(client);
const results = await Promise.all(CLIENTS.map(readResult));
const page = await readFile(PAGE, "utf8");
const known = results.flatMap((result) => result ?? []);
await writeFile(PAGE, await renewPage(page, (name) => PAGE_PARTS[name]?.(known, readRegion(page, name))));

function choose(ids: readonly string[]): readonly Client[] {
  const unknown = ids.filter((id) => !CLIENTS.some((client) => client.id === id));
  if (unknown.length > 0) {
    throw new Error(`There is no client ${unknown.join(", ")}, but ${CLIENTS.map(({ id }) => id).join(", ")}.`);
  }
  return ids.length === 0 ? CLIENTS : CLIENTS.filter(({ id }) => ids.includes(id));
}

function toScenario(name: string): ScenarioName {
  const found = SCENARIO_NAMES.find((known) => known === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}, but ${SCENARIO_NAMES.join(", ")}.`);
  return found;
}

/** Tries a client, and keeps its outcomes with those of earlier runs. */
async function tryAndKeep(client: Client): Promise<void> {
  say(`${client.title} ${versionOf(client)}`);
  const installed = join(folder, "installed", client.id);
  await installPackages(dependenciesOf(client), installed);
  const program = `${client.id}.mjs`;
  if (client.kind === "library") {
    await copyFile(join(import.meta.dirname, "libraries", program), join(installed, program));
  }
  const version = versionOf(client);
  const known = await readResult(client);
  const result: ClientResult = {
    id: client.id,
    version,
    date: new Date().toISOString().slice(0, 10),
    outcomes: known?.version === version ? known.outcomes : {},
  };
  await mkdir(join(folder, "results"), { recursive: true });
  await tryClient(client, {
    scenarios,
    installed,
    folder: join(folder, "trials", client.id),
    longSeconds,
    onOutcome(scenario, outcome) {
      result.outcomes[scenario] = outcome;
      writeFileSync(resultFile(client), `${JSON.stringify(result, null, 2)}\n`);
      const answers = outcome.answers.map(({ characters, images, marks }) => `${characters}/${images}/${marks}`);
      const end = outcome.isFinished ? "finished" : "not finished";
      say(`  ${scenario}: ${end} [${answers.join(", ")}] ${outcome.seconds.toFixed(0)} s`);
    },
  });
}

async function readResult(client: Client): Promise<ClientResult | undefined> {
  const text = await readFile(resultFile(client), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ClientResult);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function resultFile({ id }: Client): string {
  return join(folder, "results", `${id}.json`);
}
