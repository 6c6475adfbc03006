import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";

/** The package does not export them. */
const SCHEMAS = new URL("../../../node_modules/@cyclonedx/cyclonedx-library/res/schema/", import.meta.url);

const readSchema = (name: string): object =>
  JSON.parse(readFileSync(new URL(`${name}.SNAPSHOT.schema.json`, SCHEMAS), "utf8")) as object;

/** The schema of CycloneDX 1.6, as its own library ships it. */
function compileBom(): ValidateFunction {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(readSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(readSchema("bom-1.6"));
}

const TEXT = { type: "string", minLength: 1 };
const DIGEST = {
  type: "object",
  minProperties: 1,
  properties: { sha256: { pattern: "^[0-9a-f]{64}$" }, sha512: { pattern: "^[0-9a-f]{128}$" } },
  additionalProperties: { type: "string" },
};
const RESOURCE = {
  type: "object",
  properties: { name: TEXT, uri: TEXT, digest: DIGEST },
  anyOf: [{ required: ["uri"] }, { required: ["digest"] }],
  additionalProperties: false,
};
const CLOSED = { type: "object", additionalProperties: false };

/** What the specifications of in-toto Statement v1 and SLSA provenance v1 require; neither has a JSON Schema of its own. */
const STATEMENT = {
  ...CLOSED,
  required: ["_type", "subject", "predicateType", "predicate"],
  properties: {
    _type: { const: "https://in-toto.io/Statement/v1" },
    subject: { type: "array", minItems: 1, items: { ...RESOURCE, required: ["digest"] } },
    predicateType: { const: "https://slsa.dev/provenance/v1" },
    predicate: {
      ...CLOSED,
      required: ["buildDefinition", "runDetails"],
      properties: {
        buildDefinition: {
          ...CLOSED,
          required: ["buildType", "externalParameters"],
          properties: {
            buildType: { type: "string", pattern: "^https://" },
            externalParameters: { type: "object" },
            internalParameters: { type: "object" },
            resolvedDependencies: { type: "array", items: RESOURCE },
          },
        },
        runDetails: {
          ...CLOSED,
          required: ["builder"],
          properties: {
            builder: {
              ...CLOSED,
              required: ["id"],
              properties: { id: { type: "string", pattern: "^https://" }, version: { additionalProperties: TEXT } },
            },
          },
        },
      },
    },
  },
};

/** Whether a value is a valid bill of materials. */
export const isBom = compileBom();

/** Whether a value is a valid statement with SLSA provenance. */
export const isStatement = new Ajv({ strict: false }).compile(STATEMENT);
