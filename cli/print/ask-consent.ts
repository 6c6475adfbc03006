import { createInterface } from "node:readline";
import type { ApprovalRequest, Approve } from "../../schemas/run/approval.ts";
import type { ConsentWay } from "../../schemas/run/observer.ts";
import type { CommandContext } from "../command.ts";
import { describeToolToApprove } from "../../schemas/run/describe-tool-to-approve.ts";

/** How a command gets consent. */
export interface Approver {
  approve: Approve;
  consentBy: ConsentWay;
}

/** `--approve` approves in advance; otherwise the user at the terminal decides. */
export function approverOf(isApproved: boolean, { signal }: Pick<CommandContext, "signal">): Approver {
  if (isApproved) return { approve: async () => "granted", consentBy: "flag" };
  const { stdin, stderr } = process;
  const approve: Approve = async (request) =>
    stdin.isTTY && stderr.isTTY ? askConsent(request, { input: stdin, output: stderr, signal }) : "unavailable";
  return { approve, consentBy: "terminal" };
}

/** The two sides of a terminal. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** Lists exactly what is asked for and waits for an answer; anything but yes is no. */
export async function askConsent(
  { tools }: ApprovalRequest,
  { input, output, signal }: Terminal,
): Promise<"granted" | "refused"> {
  output.write(
    `The policy asks for your consent to these calls, in this run alone:\n${tools.map(describeToolToApprove).join("\n")}\n`,
  );
  return (await askYesOrNo("Allow? [y/N] ", { input, output, signal })) ? "granted" : "refused";
}

/** Waits for an answer; anything but yes is no. */
export async function askYesOrNo(prompt: string, terminal: Terminal): Promise<boolean> {
  // An interruption and the end of the input are no consent.
  return /^y(es)?$/i.test(((await readLine(prompt, terminal)) ?? "").trim());
}

/** Waits for a line; undefined where the input ends or the signal is aborted. */
export async function readLine(prompt: string, { input, output, signal }: Terminal): Promise<string | undefined> {
  const terminal = createInterface({ input, output, signal, prompt });
  terminal.prompt();
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("line", resolve).once("close", () => resolve(undefined));
  });
  terminal.close();
  return answer;
}
