import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Client, Place, ServerTarget } from "./client.ts";
import { readDescription } from "./read-description.ts";
import { makeEnvironment } from "./make-environment.ts";
import { makeProject, PROGRAM, runCodemode, TOKEN } from "./make-project.ts";
import { startModel } from "./model/start-model.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";
import { runCommand } from "./run-command.ts";
import { listSkillSteps, makeScripts, type ScenarioName } from "./scenarios.ts";
import { startHttp } from "./start-http.ts";
import { APPROVAL_POLICY, isApproval, listApprovals, makeThinking, tryApproval } from "./try-approvals.ts";

export interface TrialOptions {
  scenarios: readonly ScenarioName[];
  /** The folder of the client's `node_modules`. */
  installed: string;
  /** Emptied and filled: the homes and projects of the trials. */
  folder: string;
  longSeconds: number;
  onOutcome(scenario: ScenarioName, outcome: Outcome): void;
}

/** Tries a client with each scenario: its own program, its own entry, and a model that follows the scenario's script. */
export async function tryClient(client: Client, options: TrialOptions): Promise<void> {
  const { longSeconds, folder } = options;
  const scripts = makeScripts(longSeconds);
  if (client.resources !== undefined) scripts.set("resources", client.resources);
  if (client.shell !== undefined) scripts.set("skill", listSkillSteps(client.shell));
  const { think, setPlan } = makeThinking();
  const model = await startModel(scripts, think);
  const wanted = options.scenarios.filter((name) => scripts.has(name) && client.impossible?.[name] === undefined);
  await rm(folder, { recursive: true, force: true });
  try {
    const local = wanted.filter((name) => name !== "http" && name !== "skill" && !isApproval(name));
    if (local.length > 0) {
      const place = await makePlace(client, join(folder, "local"), { ...options, model: model.url });
      for (const name of local) await tryScenario(name, place);
    }
    if (wanted.includes("http")) {
      const place = await makePlace(client, join(folder, "http"), { ...options, model: model.url, hasToken: true });
      await tryScenario("http", place).finally(place.close);
    }
    if (wanted.includes("skill")) {
      const place = await makePlace(client, join(folder, "skill"), { ...options, model: model.url, hasSkill: true });
      await tryScenario("skill", place);
    }
    const approvals = listApprovals(wanted);
    if (approvals.length > 0) {
      const policy = APPROVAL_POLICY;
      const place = await makePlace(client, join(folder, "approvals"), { ...options, model: model.url, policy });
      for (const name of approvals) options.onOutcome(name, await tryApproval(name, { client, place, model, setPlan }));
    }
  } finally {
    await model.close();
  }

  async function tryScenario(name: ScenarioName, place: OpenPlace): Promise<void> {
    model.takeRequests();
    const end = await runCommand(client.command(place, `Follow the script: ${name}`), {
      folder: name === "below" ? join(place.project, "notes") : place.project,
      environment: place.environment,
      seconds: (name === "long" ? longSeconds : 0) + 120,
    });
    const outcome = readOutcome(model.takeRequests(), place.description);
    const { seconds, output } = end;
    options.onOutcome(name, { ...outcome, seconds, ...(outcome.isFinished ? {} : { output }) });
  }
}

/** A place with what its processes get, which stops them. */
interface OpenPlace extends Place {
  environment: Record<string, string>;
  /** The whole description of codemode's tool. */
  description: string;
  close(): void;
}

interface PlaceOptions {
  installed: string;
  model: string;
  longSeconds: number;
  hasToken?: boolean;
  /** The skill in the place of an entry. */
  hasSkill?: boolean;
  policy?: object;
}

/** Makes a home and a project, and has the client and codemode write their settings there. */
async function makePlace(client: Client, folder: string, options: PlaceOptions): Promise<OpenPlace> {
  const { hasToken = false, hasSkill = false, longSeconds, installed, model, policy = {} } = options;
  const home = join(folder, "home");
  const project = join(folder, "project");
  await mkdir(join(home, "tmp"), { recursive: true });
  const start = { command: "node", args: [join(project, PROGRAM), "serve", "--cwd", project], env: { HOME: home } };
  const withoutServer: Place = { home, project, installed, model, server: start };
  const token = hasToken ? { [TOKEN.name]: TOKEN.value } : {};
  const environment = { ...makeEnvironment(client, withoutServer), ...token };
  await makeProject(project, environment, { hasToken, longSeconds, policy });
  const http = hasToken ? await startHttp(project, environment) : undefined;
  const headers = { Authorization: `Bearer ${TOKEN.value}` };
  const server: ServerTarget = http === undefined ? start : { url: http.url, headers };
  const place: Place = { ...withoutServer, server };
  await client.prepare?.(place);
  if (client.entry !== undefined) {
    const address = http === undefined ? [] : ["--http", http.url];
    const form = hasSkill ? ["--skill"] : address;
    await runCodemode(project, environment, ["install", ...client.entry, ...form]);
    if (!hasSkill) await client.adjustEntry?.(place);
  }
  return {
    ...place,
    environment: { ...environment, ...makeEnvironment(client, place) },
    description: await readDescription(start, environment),
    close: () => http?.close(),
  };
}
