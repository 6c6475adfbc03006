/** Values of environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the variables of logins begin with, where a person says nothing else. */
export const PREFIX = "OPENAPI";

/**
 * The variables of a server that has names of its own: `PETS_BEARER_AUTH` is `OPENAPI_BEARER_AUTH`, where it has no value itself. An empty
 * one counts as absent then: a configuration that hands variables on can leave none out.
 */
export function readEnvironment(env: Environment, prefix: string | undefined): Environment {
  if (prefix === undefined) return env;
  const ofLogins = new RegExp(`^(?:${PREFIX}|${prefix})_`);
  const given = Object.entries(env).filter(([name, value]) => value !== "" || !ofLogins.test(name));
  const renamed = given.flatMap(([name, value]) =>
    name.startsWith(`${PREFIX}_`) ? [[`${prefix}${name.slice(PREFIX.length)}`, value] as const] : [],
  );
  return { ...Object.fromEntries(renamed), ...Object.fromEntries(given) };
}
