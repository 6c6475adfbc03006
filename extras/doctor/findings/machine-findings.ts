import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import gte from "semver/functions/gte.js";
import valid from "semver/functions/valid.js";
import type { Finding } from "../doctor-report.ts";
import { OLDEST_NODE } from "../../../schemas/oldest-node.ts";
import type { MachineFacts } from "../probes/probe-machine.ts";
import { printBytes } from "./print-amounts.ts";

const OLDEST = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}.${OLDEST_NODE.patch}`;
/** Below this, a sandbox and two servers leave little for anything else. */
const LITTLE_MEMORY_BYTES = 512 * 1024 * 1024;

export function evaluateMachine(facts: MachineFacts): Finding[] {
  const { platform, architecture, cores, isContainer } = facts;
  const place = isContainer ? ", in a container" : "";
  return [
    {
      id: "machine.platform",
      status: "ok",
      subject: "platform",
      found: `${platform} ${architecture}, ${cores} ${cores === 1 ? "core" : "cores"}${place}`,
      facts: { platform, architecture, cores, isContainer },
    },
    evaluateMemory(facts),
    evaluateNode(facts.nodeVersion),
  ];
}

function evaluateMemory({ memoryBytes, memoryLimitBytes }: MachineFacts): Finding {
  const usable = memoryLimitBytes ?? memoryBytes;
  const limited = memoryLimitBytes === undefined ? "" : `, of which this process may use ${printBytes(usable)}`;
  const finding = {
    id: "machine.memory",
    subject: "memory",
    found: `${printBytes(memoryBytes)}${limited}`,
    facts: { memoryBytes, ...withoutUndefined({ memoryLimitBytes }) },
  };
  if (usable >= LITTLE_MEMORY_BYTES) return { ...finding, status: "ok" };
  return { ...finding, status: "warning", hint: "Give it more memory, or lower limits.maxMemoryBytes." };
}

function evaluateNode(nodeVersion: string): Finding {
  const isSupported = valid(nodeVersion) !== null && gte(nodeVersion, OLDEST);
  const finding = { id: "machine.node", subject: "Node", facts: { nodeVersion, isSupported } };
  if (isSupported) return { ...finding, status: "ok", found: `${nodeVersion} is supported` };
  return {
    ...finding,
    status: "problem",
    found: `${nodeVersion} is older than ${OLDEST}`,
    hint: `Install Node ${OLDEST} or later.`,
  };
}
