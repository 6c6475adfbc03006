import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { VERSION } from "../../schemas/version.ts";
import { GENERATOR_VERSION } from "../../templates/generated-package.ts";
import { npmPackageOf, npmPackageUrl } from "./package/package-name.ts";

const BUILD_TYPE = "https://www.npmjs.com/package/codemode#pack-v1";
const BUILDER = "https://www.npmjs.com/package/codemode";

/** Where the statement of a tarball is. */
export function statementPath(tarball: string): string {
  return tarball.replace(/\.tgz$/, ".intoto.json");
}

/** A server package as the subject of a statement. */
export interface StatementSubject {
  name: string;
  version: string;
  server: LockedServer;
}

/**
 * "This tarball was made from that lock entry by this codemode", to be signed by those who publish it: an in-toto Statement v1 with
 * SLSA provenance v1. It names no machine, no time and no account, which the signature adds.
 */
export function printStatement(
  tarball: string,
  bytes: Uint8Array,
  { name, version, server }: StatementSubject,
): string {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: basename(tarball), digest: digestsOf(bytes) }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { package: name, version, serverId: server.id },
        internalParameters: { generatorVersion: GENERATOR_VERSION },
        resolvedDependencies: [
          { name: "lock entry", uri: `codemode.lock.json#/servers/${server.id}`, digest: hexOf(server.integrity) },
          ...describePackage(server),
        ],
      },
      runDetails: { builder: { id: BUILDER, version: { codemode: VERSION } } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

function digestsOf(bytes: Uint8Array): { [algorithm: string]: string } {
  const digest = (algorithm: string): string => createHash(algorithm).update(bytes).digest("hex");
  return { sha256: digest("sha256"), sha512: digest("sha512") };
}

function describePackage(server: LockedServer): JsonObject[] {
  const fetched = npmPackageOf(server);
  if (fetched === undefined) return [];
  const digest = fetched.integrity === undefined ? {} : { digest: hexOf(fetched.integrity) };
  return [{ name: "server", uri: npmPackageUrl(fetched.name, fetched.version), ...digest }];
}

/** Subresource Integrity as the digest of in-toto. */
function hexOf(integrity: string): { [algorithm: string]: string } {
  const [algorithm = "", digest = ""] = integrity.split("-");
  return { [algorithm]: Buffer.from(digest, "base64").toString("hex") };
}
