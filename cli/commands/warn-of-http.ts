import { readApprovalKey } from "../../engine/approval-secret.ts";
import { assertTrusted } from "../../engine/trust-project.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { HttpPlan } from "../../serve/http/http-plan.ts";

/** Says what a server over HTTP lacks: an approval of its programs, or a way to answer what the policy asks about. */
export async function warnOfHttp(plan: HttpPlan, config: Config, warn: (text: string) => void): Promise<void> {
  warnUntrusted(config, warn);
  if (!(await canApprove(plan, config))) warn(NO_WAY_TO_APPROVE);
}

/** Over HTTP no client can answer: the question goes to a terminal before anything is served, otherwise to the log. */
function warnUntrusted(config: Config, warn: (text: string) => void): void {
  try {
    assertTrusted(config);
  } catch (error) {
    if (!(error instanceof CodemodeError) || process.stdin.isTTY) throw error;
    warn(`${error.message} ${error.hint}`);
  }
}

/** Whether a person can answer what the policy asks about: through a client, on the dashboard of the operator, or with a passphrase. True where it asks nothing. */
async function canApprove({ clients, operatorDigest }: HttpPlan, { policy }: Config): Promise<boolean> {
  if (policy.ask.length === 0 && (policy.askEach ?? []).length === 0) return true;
  if (operatorDigest !== undefined || clients.some(({ access }) => access.mayApprove)) return true;
  return (await readApprovalKey()) !== undefined;
}

const NO_WAY_TO_APPROVE =
  "The policy asks for approvals, and there is no way to give one: set a passphrase by `codemode approvals --setup` and start this again, or set `serve.operatorToken`, or `mayApprove` for a client that shows forms to a person.";
