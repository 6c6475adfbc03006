import { setImmediate } from "node:timers/promises";
import type { InputCheck } from "../runtime/host/checks/input-check.ts";
import type { JsonValue } from "../schemas/json/json.ts";
import type { LockedServer, LockedTool } from "../schemas/lock/lockfile.ts";
import { planServer } from "../templates/plan.ts";
import type { ServerPlan } from "../templates/server-plan.ts";

export { signatureOf } from "../templates/emit-signature.ts";
export { schemaProblemsOf } from "../templates/plan.ts";

// All of it comes from the lockfile: a generated folder may be outdated, or edited. A server costs nothing until it is asked
// for, and is planned and printed once for as long as its lock entry lives.
const plans = new WeakMap<LockedServer, ServerPlan>();
const texts = new WeakMap<LockedServer, Promise<string>>();
const toolTexts = new WeakMap<LockedServer, Map<string, Promise<string>>>();

/** The declarations of a whole server, with all doc comments: what `codemode types` prints. */
export function declarationsOfServer(server: LockedServer): Promise<string> {
  const known = texts.get(server) ?? printServer(server);
  texts.set(server, known);
  return known;
}

/** The declarations of one tool of the server, with all doc comments and under the names that they have in the package. */
export function declarationsOfTool(server: LockedServer, tool: LockedTool): Promise<string> {
  const ofServer = toolTexts.get(server) ?? new Map<string, Promise<string>>();
  toolTexts.set(server, ofServer);
  const known = ofServer.get(tool.name) ?? printTool(server, tool);
  ofServer.set(tool.name, known);
  return known;
}

async function printServer(server: LockedServer): Promise<string> {
  const { emitDeclarations } = await import("../templates/emit.ts");
  return emitDeclarations(planOf(server), undefined, () => setImmediate());
}

async function printTool(server: LockedServer, { exportName }: LockedTool): Promise<string> {
  const { emitDeclarations } = await import("../templates/emit.ts");
  // The whole server is planned: the names of its types depend on all of its tools.
  const plan = planOf(server);
  return emitDeclarations(
    plan,
    plan.tools.filter((tool) => tool.exportName === exportName),
  );
}

/** A minimal input that the tool's schema accepts, the same that its generated binding shows; undefined where none can be made of it. */
export async function exampleInputOf(tool: LockedTool): Promise<JsonValue | undefined> {
  const { exampleOf } = await import("../runtime/host/checks/example-of.ts");
  const { makeInputCheck } = await import("../runtime/host/checks/input-check.ts");
  checkInput ??= makeInputCheck();
  return exampleOf(tool, checkInput);
}

let checkInput: InputCheck | undefined;

function planOf(server: LockedServer): ServerPlan {
  const plan = plans.get(server) ?? planServer(server);
  plans.set(server, plan);
  return plan;
}
