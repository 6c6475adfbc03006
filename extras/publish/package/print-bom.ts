import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { base64 } from "@scure/base";
import { bytesToHex } from "@noble/hashes/utils.js";
import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";
import { type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { RUNTIME_VERSION } from "../../../templates/generated-package.ts";
import { npmPackageOf, npmPackageUrl } from "./package-name.ts";
import type { PackageIdentity } from "./print-manifest.ts";

/** The name of a package's software bill of materials. */
export const PACKED_BOM = "sbom.cdx.json";

/**
 * The bill of materials of a server package (CycloneDX 1.6): the package, the runtime that it depends on, and the server that it was
 * locked from, which it does not contain. Without dates and serial numbers, so that the same package gives the same bytes.
 */
export function printBom({ name, version, inherited }: PackageIdentity, server: LockedServer): string {
  const itself = npmPackageUrl(name, version);
  const runtime = npmPackageUrl("@codemode/runtime", RUNTIME_VERSION);
  const program = describeServer(server);
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        ...{ type: "library", "bom-ref": itself, name, version, purl: itself, ...licenseOf(inherited) },
        properties: [{ name: "codemode:lock:integrity", value: server.integrity }],
      },
    },
    components: [
      { type: "library", "bom-ref": runtime, name: "@codemode/runtime", version: RUNTIME_VERSION, purl: runtime },
      ...(program.component === undefined ? [] : [program.component]),
    ],
    ...withoutUndefined({ services: program.service === undefined ? undefined : [program.service] }),
    dependencies: [{ ref: itself, dependsOn: [runtime] }, { ref: runtime }, { ref: SERVER_REFERENCE }],
  };
  return escapeInvisible(`${JSON.stringify(bom, null, 2)}\n`);
}

const SERVER_REFERENCE = "mcp-server";

/** A program is a component that is left out of the package; an address is a service. What a server says of itself is quoted. */
function describeServer(server: LockedServer): {
  component?: JsonObject | undefined;
  service?: JsonObject | undefined;
} {
  const { id, serverInfo, source } = server;
  const said = ownValue(serverInfo, "version");
  const version = typeof said === "string" && said !== "" ? { version: said } : {};
  const description = { description: `The MCP server "${id}" as it was locked; the package does not contain it.` };
  if (source.transport !== "stdio") {
    return {
      service: {
        "bom-ref": SERVER_REFERENCE,
        name: id,
        ...version,
        ...description,
        endpoints: "url" in source ? [source.url] : [],
      },
    };
  }
  const fetched = npmPackageOf(server);
  const known =
    fetched === undefined
      ? { name: id, ...version }
      : {
          name: fetched.name,
          ...withoutUndefined({ version: fetched.version }),
          purl: npmPackageUrl(fetched.name, fetched.version),
          ...hashesOf(fetched.integrity),
        };
  return {
    component: { type: "application", "bom-ref": SERVER_REFERENCE, ...known, ...description, scope: "excluded" },
  };
}

/** Subresource Integrity as the hashes of CycloneDX. */
function hashesOf(integrity: string | undefined): JsonObject {
  const [, digest] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity ?? "") ?? [];
  return digest === undefined ? {} : { hashes: [{ alg: "SHA-512", content: bytesToHex(base64.decode(digest)) }] };
}

/** npm's `license` is an SPDX expression, except for its own word for none. */
function licenseOf(inherited: JsonObject): JsonObject {
  const license = ownValue(inherited, "license");
  if (typeof license !== "string" || license === "UNLICENSED" || license.startsWith("SEE LICENSE")) return {};
  return { licenses: [{ expression: license }] };
}
