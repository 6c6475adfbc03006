import type { LockedPackage, LockedServer } from "../../../schemas/lock/lockfile.ts";
import { isPackageName } from "./package-name.ts";

const NPM_RUNNER = /(?:^|[\\/])(?:npx|pnpx|bunx|npm|pnpm|yarn)(?:\.cmd|\.exe)?$/i;

/** The package that a server's command fetches from npm; undefined for servers that come from elsewhere. */
export function npmPackageOf({ source }: LockedServer): LockedPackage | undefined {
  if (source.transport !== "stdio" || source.package === undefined) return undefined;
  return NPM_RUNNER.test(source.command) && isPackageName(source.package.name) ? source.package : undefined;
}

/** A package of npm as a package URL (ECMA-427): `pkg:npm/%40acme/x@1.2.0`. */
export function npmPackageUrl(name: string, version?: string): string {
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `pkg:npm/${path}${version === undefined ? "" : `@${encodeURIComponent(version)}`}`;
}
