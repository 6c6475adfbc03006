import { randomBytes } from "node:crypto";
import type { ApprovalRequest, ApprovalVerdict } from "../../schemas/run/approval.ts";
import { describeToolsToApprove } from "../agent/approval-form.ts";
import { openConsentFolder, readConsentAnswer, removeConsent, writeConsent } from "./consent-files.ts";

/** Where runs wait for a consent that a person gives outside of the agent's client, with `codemode approvals`. One for each process. */
export interface ConsentDesk {
  /**
   * Puts a question there. The verdict comes when a person has answered, `closed` when the time is over or the signal aborts.
   * Undefined where too many wait already, where the tools are too many to be read, or where the question cannot be written.
   */
  ask(request: ApprovalRequest, client: string, signal: AbortSignal): Promise<AskedConsent | undefined>;
}

export interface AskedConsent {
  verdict: Promise<ApprovalVerdict>;
}

export interface ConsentDeskOptions {
  /** The folder of the configuration. */
  project: string;
  /** How long a run waits for a person, in milliseconds. */
  waitMs: number;
  /** Receives why questions cannot be written. */
  onFailure(error: unknown): void;
}

const LOOK_EVERY_MS = 250;
const MOST_WAITING = 32;
const MOST_OF_CLIENT = 8;

export function makeConsentDesk({ project, waitMs, onFailure }: ConsentDeskOptions): ConsentDesk {
  /** The clients of those that wait. */
  const waiting: string[] = [];
  return {
    async ask({ tools }, client, signal) {
      const lines = describeToolsToApprove(tools);
      const ofClient = waiting.filter((other) => other === client).length;
      if (lines === undefined || waiting.length >= MOST_WAITING || ofClient >= MOST_OF_CLIENT) return undefined;
      waiting.push(client);
      const leave = (): unknown => waiting.splice(waiting.indexOf(client), 1);
      const id = randomBytes(16).toString("hex");
      const until = Date.now() + waitMs;
      try {
        const folder = await openConsentFolder();
        await writeConsent(folder, { id, project, tools: lines, until, ...(client === "" ? {} : { client }) });
        const answered = waitForAnswer(folder, id, until, signal);
        return { verdict: answered.catch((): ApprovalVerdict => "closed").finally(leave) };
      } catch (error) {
        leave();
        onFailure(error);
        return undefined;
      }
    },
  };
}

async function waitForAnswer(folder: string, id: string, until: number, signal: AbortSignal): Promise<ApprovalVerdict> {
  try {
    while (Date.now() < until && !signal.aborted) {
      const answer = await readConsentAnswer(folder, id);
      if (answer !== undefined) return answer === "approve" ? "granted" : "refused";
      await pause(LOOK_EVERY_MS, signal);
    }
    return "closed";
  } finally {
    await removeConsent(folder, id);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });
}
