import { expect, test } from "vitest";
import { evaluateSandbox } from "../../../extras/doctor/sandbox-findings.ts";
import { probeSandbox, type SandboxFacts, parseLimits, askInside } from "../../../extras/doctor/sandbox.ts";
import { probeConfinement } from "../../../runtime/sandbox/pool/confinement.ts";
import { planLaunch } from "../../../runtime/sandbox/pool/launch-plan.ts";

const LAUNCH = { node: process.execPath, maxMemoryBytes: 64 * 1024 * 1024 };
const MAX_CPU_SECONDS = 10;

const statusesOf = (facts: SandboxFacts) =>
  Object.fromEntries(evaluateSandbox(facts).map(({ id, status }) => [id, status]));

test("what a process may do is asked of one that is started like a sandbox, and of one that nothing holds", async () => {
  const plan = await planLaunch(LAUNCH);
  const unheld = {
    ...plan,
    confinement: { launcher: [], prlimit: undefined },
    program: [process.execPath, "boot.cjs"],
  };
  const [held, free] = await Promise.all([askInside(plan), askInside(unheld)]);
  const { launcher } = await probeConfinement();
  expect(held).toEqual({
    refusesFiles: true,
    refusesProcesses: true,
    refusesWorkers: true,
    refusesAddons: true,
    refusesInspector: true,
    refusesCodeFromText: true,
    // On a machine that has no namespaces for us, Node alone does not refuse it.
    refusesNetwork: launcher.some((word) => word.endsWith("unshare")),
    variables: [],
  });
  expect(free).toMatchObject({
    refusesFiles: false,
    refusesProcesses: false,
    refusesWorkers: false,
    refusesAddons: false,
    refusesInspector: false,
    refusesCodeFromText: false,
    refusesNetwork: false,
  });
});

test("a real sandbox holds on this machine, and one that cannot start is a problem", async () => {
  const facts = await probeSandbox(LAUNCH, MAX_CPU_SECONDS);
  const problems = evaluateSandbox(facts).filter(({ status }) => status === "problem");
  expect(problems).toEqual([]);
  const none = await probeSandbox({ ...LAUNCH, node: "/nowhere/node" }, MAX_CPU_SECONDS);
  expect(evaluateSandbox(none)).toMatchObject([{ id: "sandbox.start", status: "problem", hint: expect.any(String) }]);
});

const HELD: SandboxFacts & { hasStarted: true } = {
  hasStarted: true,
  trials: [{ command: "unshare" }, { command: "setpriv" }, { command: "prlimit" }],
  switches: [],
  process: {
    residentBytes: 40_000_000,
    ownNamespaces: ["net", "user", "ipc", "uts"],
    interfaces: ["lo"],
    hasNoNewPrivileges: true,
    limits: parseLimits(
      [
        "Limit                     Soft Limit           Hard Limit           Units     ",
        "Max cpu time              35                   35                   seconds   ",
        "Max file size             0                    0                    bytes     ",
        "Max data size             180000000            180000000            bytes     ",
        "Max core file size        0                    0                    bytes     ",
        "Max open files            64                   64                   files     ",
      ].join("\n"),
    ),
  },
  inside: {
    refusesFiles: true,
    refusesProcesses: true,
    refusesWorkers: true,
    refusesAddons: true,
    refusesInspector: true,
    refusesCodeFromText: true,
    refusesNetwork: true,
    variables: [],
  },
  diesWithHost: true,
  cache: { isUsable: true, isFilled: true },
};

test("everything that holds is ok", () => {
  expect(new Set(Object.values(statusesOf(HELD)))).toEqual(new Set(["ok"]));
});

test("where the kernel refuses namespaces, the two layers are warnings that say which switch it is", () => {
  const findings = evaluateSandbox({
    ...HELD,
    trials: [{ command: "unshare", refusal: { reason: "refused", said: "unshare failed: Operation not permitted" } }],
    switches: ["user.max_user_namespaces=0"],
    process: { ...HELD.process, residentBytes: 0, ownNamespaces: [] },
    inside: HELD.inside === undefined ? undefined : { ...HELD.inside, refusesNetwork: false },
  });
  const warnings = findings.filter(({ status }) => status === "warning");
  expect(warnings.map(({ id }) => id)).toEqual(["sandbox.network", "sandbox.namespaces"]);
  expect(warnings[0]?.found).toContain("Operation not permitted");
  expect(warnings[0]?.hint).toContain("user.max_user_namespaces=0");
});

test("outside of Linux, and without util-linux, what is missing has a reason of its own", () => {
  const missing = { ...HELD, diesWithHost: false, process: { residentBytes: 0 } };
  const reasonOf = (reason: "missing" | "no-linux"): string | undefined =>
    evaluateSandbox({ ...missing, trials: [{ command: "prlimit", refusal: { reason, said: "" } }] }).find(
      ({ id }) => id === "sandbox.limits",
    )?.found;
  expect(reasonOf("missing")).toContain("no prlimit");
  expect(reasonOf("no-linux")).toContain("Linux only");
});

test("on macOS its profile is a layer, and where sandbox-exec starts no Node, that is a warning", () => {
  const { process: _, ...mac } = { ...HELD, hasProfile: true, diesWithHost: false };
  const trials = HELD.trials.map(({ command }) => ({ command, refusal: { reason: "no-linux" as const, said: "" } }));
  const held = evaluateSandbox({ ...mac, trials });
  const layers = held.filter(({ id }) => /network|profile|namespaces|privileges/.test(id));
  expect(layers.map(({ id, status }) => [id, status])).toEqual([
    ["sandbox.network", "ok"],
    ["sandbox.profile", "ok"],
  ]);
  const inside = { ...HELD.inside, refusesNetwork: false } as NonNullable<typeof HELD.inside>;
  const refused = evaluateSandbox({ ...mac, trials, inside, hasProfile: false });
  const warnings = refused.filter(({ status }) => status === "warning");
  expect(warnings.map(({ id }) => id)).toEqual([
    "sandbox.network",
    "sandbox.profile",
    "sandbox.hostDeath",
    "sandbox.limits",
  ]);
  expect(warnings[0]?.found).toContain("does not start under sandbox-exec");
});

test("a gap in the permissions of Node is a problem, even if all else holds", () => {
  const inside = { ...HELD.inside, refusesFiles: false, refusesCodeFromText: false, variables: ["NODE_OPTIONS"] };
  expect(statusesOf({ ...HELD, inside: inside as NonNullable<typeof HELD.inside> })).toMatchObject({
    "sandbox.permissions": "problem",
    "sandbox.codeFromText": "problem",
    "sandbox.environment": "problem",
    "sandbox.network": "ok",
  });
  expect(statusesOf({ ...HELD, inside: undefined })["sandbox.permissions"]).toBe("problem");
});

test("variables that the command of the sandbox sets are named, and no problem", () => {
  const inside = { ...HELD.inside, variables: ["HOME", "PATH"] } as NonNullable<typeof HELD.inside>;
  const found = (facts: SandboxFacts) => evaluateSandbox(facts).find(({ id }) => id === "sandbox.environment");
  expect(found(HELD)).toMatchObject({ status: "ok", found: "empty" });
  expect(found({ ...HELD, inside, command: { program: "bwrap", showsMemory: true } })).toMatchObject({
    ...{ status: "ok", found: "has HOME, PATH, as the command sets it" },
  });
});

test("limits that are looser than ours do not count", () => {
  const limits = new Map([["Max open files", 1024]]);
  expect(statusesOf({ ...HELD, process: { residentBytes: 0, limits } })["sandbox.limits"]).toBe("warning");
});
