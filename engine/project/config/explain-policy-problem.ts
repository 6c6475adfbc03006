import { nearestName } from "@codemode/runtime/nearest-name";
import type { ConfigFile } from "../../../schemas/config/config.ts";
import type { Policy } from "../../../schemas/config/policy-settings.ts";
import { CLAIM_WORDS, unknownClaims } from "../../../schemas/access/policy.ts";

/** Says the first pattern of a policy that names an annotation which does not exist: it would never match, and deny nothing. */
export function explainPolicyProblem({ policy, serve }: ConfigFile): { cause: string; hint: string } | undefined {
  const clients = Object.entries(serve?.clients ?? {});
  const policies = [
    ["/policy", policy] as const,
    ...clients.map(([name, client]) => [`/serve/clients/${name}/policy`, client.policy] as const),
  ];
  for (const [place, written] of policies) {
    for (const key of ["allow", "ask", "deny"] as const satisfies (keyof Policy)[]) {
      const [pattern] = unknownClaims(written?.[key] ?? []);
      if (pattern !== undefined) {
        return { cause: `unknown annotation "${pattern}" in "${place}/${key}"`, hint: suggest(pattern) };
      }
    }
  }
  return undefined;
}

function suggest(pattern: string): string {
  const at = pattern.lastIndexOf("@") + 1;
  const nearest = nearestName(pattern.slice(at), CLAIM_WORDS);
  if (nearest !== undefined) return `Did you mean "${pattern.slice(0, at)}${nearest}"?`;
  return `Known are ${CLAIM_WORDS.map((word) => `@${word}`).join(", ")}.`;
}
