import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { LaunchPlan } from "../../../runtime/sandbox/pool/launch-plan.ts";
import { findCommand } from "../../../runtime/sandbox/pool/confinement.ts";
import { emptyEnvironment, listForeignVariables } from "../../../runtime/sandbox/pool/empty-environment.ts";

/** What a process that is started just as a sandbox is can do: true is refused. */
export interface InsideFacts {
  refusesFiles: boolean;
  refusesProcesses: boolean;
  refusesWorkers: boolean;
  refusesAddons: boolean;
  refusesInspector: boolean;
  refusesCodeFromText: boolean;
  /** A connection to this very process, over the loopback. */
  refusesNetwork: boolean;
  /** Names of the variables that it has and should not have. */
  variables: string[];
}

type Answer = Omit<InsideFacts, "variables"> & { environment: Record<string, string> };

/** Harmless where nothing refuses them. The sandbox's own program has no way to say any of this, so it is asked of another one that is started by the same words. */
const QUESTIONS = `
const refuses = (action) => { try { action(); return false; } catch { return true; } };
const denies = (action) => {
  try { action(); return false; } catch (error) { return /^ERR_(ACCESS_DENIED|DLOPEN_DISABLED)$/.test(error.code); }
};
const answer = {
  refusesFiles: denies(() => require("fs").readFileSync(process.execPath, { flag: "r" })) &&
    denies(() => require("fs").writeFileSync("/dev/null", "")),
  refusesProcesses: denies(() => require("child_process").spawnSync(process.execPath, ["--version"])),
  refusesWorkers: denies(() => new (require("worker_threads").Worker)("", { eval: true })),
  refusesAddons: denies(() => process.dlopen({ exports: {} }, "/codemode-doctor.node")),
  refusesInspector: denies(() => require("inspector").open(0)),
  refusesCodeFromText: refuses(() => new Function("return 1")) && refuses(() => (0, eval)("1")),
  environment: process.env,
};
const tell = (refusesNetwork) => {
  process.stdout.write(JSON.stringify({ ...answer, refusesNetwork }), () => process.exit(0));
};
const timer = setTimeout(tell, 1000, true);
try {
  const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1");
  socket.once("connect", () => tell(false));
  socket.once("error", () => tell(true));
} catch {
  tell(true);
}
`;
const ANSWER_TIMEOUT_MS = 10_000;

/** Starts such a process and asks it. Undefined where it does not answer. */
export async function askInside({ confinement, command, program }: LaunchPlan): Promise<InsideFacts | undefined> {
  const listener = createServer((socket) => socket.destroy());
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  try {
    const { port } = listener.address() as AddressInfo;
    const [node = "", ...flags] = program.slice(0, -1);
    const text = await printed([...confinement.launcher, ...command, node, ...flags, "-e", QUESTIONS, String(port)]);
    if (text === undefined) return undefined;
    const { environment, ...facts } = JSON.parse(text) as Answer;
    return { ...facts, variables: listForeignVariables(environment) };
  } finally {
    listener.close();
  }
}

/** Whether a process that is started with these words dies when this one is killed: `setpriv` can tell. */
export async function asksToDieWithHost({ confinement }: Pick<LaunchPlan, "confinement">): Promise<boolean> {
  const setpriv = findCommand("setpriv");
  if (setpriv === undefined || confinement.launcher.length === 0) return false;
  return /^Parent death signal: KILL$/m.test((await printed([...confinement.launcher, setpriv, "--dump"])) ?? "");
}

function printed([command = "", ...args]: readonly string[]): Promise<string | undefined> {
  const options = { env: emptyEnvironment(), cwd: "/", timeout: ANSWER_TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}
