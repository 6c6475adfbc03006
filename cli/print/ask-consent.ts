import { createInterface, type Interface } from "node:readline";
import type { ApprovalRequest, Approve } from "../../schemas/run/approval.ts";
import type { ConsentWay } from "../../schemas/run/observer.ts";
import type { CommandContext } from "../command.ts";
import { describeToolToApprove } from "../../schemas/run/describe-tool-to-approve.ts";
import { Writable } from "node:stream";

/** How a command gets consent. */
export interface Approver {
  approve: Approve;
  consentBy: ConsentWay;
}

/**
 * `--approve` approves calls in advance; otherwise the user at the terminal decides. What a server has changed since it was locked has to be
 * seen first, so that the flag does not cover it.
 */
export function approverOf(isApproved: boolean, { signal }: Pick<CommandContext, "signal">): Approver {
  const approve: Approve = async (request) => {
    if (isApproved && request.tools.every(({ change }) => change === undefined)) return "granted";
    const terminal = terminalOf(signal);
    return terminal === undefined ? "unavailable" : askConsent(request, terminal);
  };
  return { approve, consentBy: isApproved ? "flag" : "terminal" };
}

/** The two sides of a terminal. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** The terminal of this process; undefined where its input or its messages go elsewhere. */
export function terminalOf(signal: AbortSignal): Terminal | undefined {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY ? { input: stdin, output: stderr, signal } : undefined;
}

/** Lists exactly what is asked for and waits for an answer; anything but yes is no. */
export async function askConsent(
  { tools }: ApprovalRequest,
  { input, output, signal }: Terminal,
): Promise<"granted" | "refused"> {
  output.write(
    `The policy asks for your consent to these calls, in this run alone:\n${tools.flatMap(describeToolToApprove).join("\n")}\n`,
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
  return nextLine(terminal);
}

/** The same for a line that is not shown as it is typed. */
export async function readHidden(prompt: string, { input, output, signal }: Terminal): Promise<string | undefined> {
  output.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = await nextLine(createInterface({ input, output: silent, terminal: true, signal }));
  output.write("\n");
  return answer;
}

async function nextLine(terminal: Interface): Promise<string | undefined> {
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("line", resolve).once("close", () => resolve(undefined));
  });
  terminal.close();
  return answer;
}
