import { replacePlaceholders } from "@codemode/runtime/placeholders";
import type { Config } from "../schemas/config/config.ts";
import { variableUnset } from "../schemas/errors.ts";
import type { TakenSecret } from "../schemas/secrets/secrets-in-config.ts";
import { valuesOf } from "../runtime/mcp/variables.ts";

/** A secret may be made of placeholders itself, such as an address with `${USER}` in it. */
export function withSecrets(secrets: readonly TakenSecret[], config: Config): NodeJS.ProcessEnv {
  const values = valuesOf(config);
  const filled = secrets.map(({ server, variable, value }) => [
    variable,
    replacePlaceholders(value, values, (unset) => variableUnset(server, unset)),
  ]);
  return { ...process.env, ...(Object.fromEntries(filled) as NodeJS.ProcessEnv) };
}
