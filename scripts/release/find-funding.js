/**
 * Where users may fund the packages, which npm shows with them: the variable `FUNDING_URL` of the workflow that publishes. None is needed.
 *
 * @param {Record<string, string | undefined>} environment
 * @returns {{ url?: string, problem?: string }} an address, why it is none, or nothing
 */
export function findFunding({ FUNDING_URL: said = "" }) {
  if (said === "") return {};
  const isAddress = URL.canParse(said) && new URL(said).protocol === "https:";
  return isAddress ? { url: said } : { problem: `FUNDING_URL is ${JSON.stringify(said)}, which is no https address` };
}
