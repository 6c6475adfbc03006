import type { ConfinementTrial } from "../probes/try-confinement.ts";

/** Says why a layer of the operating system is not there, and what it would need. */
export function explainRefusal(
  command: ConfinementTrial["command"],
  { trials, switches }: { trials: readonly ConfinementTrial[]; switches: readonly string[] },
): { found: string; hint: string } {
  const refusal = trials.find((trial) => trial.command === command)?.refusal;
  switch (refusal?.reason) {
    case "no-linux":
      return {
        found: "not active: available on Linux only",
        hint: "For untrusted scripts, run codemode on Linux (docs/containers.md).",
      };
    case "missing":
      return { found: `not active: there is no ${command} in /usr/bin`, hint: "Install the package util-linux." };
    case "refused":
      return {
        found: `not active: the system refuses ${command}${refusal.said === "" ? "" : ` (${refusal.said})`}`,
        hint: command === "unshare" ? mendNamespaces(switches) : `Allow ${command} here (docs/containers.md).`,
      };
    case undefined:
      return {
        found: `not active, although ${command} works on its own`,
        hint: "Try again; if the problem remains, report it with the output of `codemode doctor --json`.",
      };
  }
}

function mendNamespaces(switches: readonly string[]): string {
  if (switches.length === 0) return "Let the container or the kernel allow user namespaces (docs/containers.md).";
  return `The kernel forbids it to ordinary users: ${switches.join(", ")}; change that with sysctl, or use a container that allows it.`;
}
