import parse from "semver/functions/parse.js";

/**
 * Reads a version exactly as Semantic Versioning 2.0.0 writes it: npm's parser also takes `v1.2.3` and blanks around it.
 *
 * @returns the version without its build metadata, which takes no part in the order; undefined where the text is no version
 */
export function readVersion(text: string): string | undefined {
  const parsed = parse(text);
  if (parsed === null) return undefined;
  const { version, build } = parsed;
  const whole = build.length === 0 ? version : `${version}+${build.join(".")}`;
  return whole === text ? version : undefined;
}
