import { createHash } from "node:crypto";
import { homedir } from "node:os";
import type { Config } from "../../schemas/config/config.ts";
import { approvalKeyInvalid } from "../../schemas/config/serve-errors.ts";
import { replacePlaceholders } from "@codemode/runtime/placeholders";

const MIN_LENGTH = 32;

/** The key that replicas share, made from the secret of the configuration; undefined where there is none. Throws a `CodemodeError`. */
export function resolveApprovalKey({ serve, folder }: Config, env: NodeJS.ProcessEnv): Uint8Array | undefined {
  if (serve.approvalKey === undefined) return undefined;
  const values = { env, workspaceFolder: folder, userHome: homedir() };
  const secret = replacePlaceholders(serve.approvalKey, values, (variable) =>
    approvalKeyInvalid(`needs the environment variable ${variable}, which is not set`),
  );
  if (secret.length < MIN_LENGTH) throw approvalKeyInvalid(`has less than ${MIN_LENGTH} characters`);
  return createHash("sha256").update(secret).digest();
}
