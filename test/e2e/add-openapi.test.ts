import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startScriptedApi } from "../openapi/scripted-api.ts";
import { linkOpenApi, runWithoutNpm } from "./openapi-package.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";

const PETS = `openapi: 3.0.3
info: { title: Pets, version: "1" }
servers: [{ url: https://pets.example/v1 }]
security: [{ apiKey: [] }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
    delete: { operationId: deletePet, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }
components:
  schemas: { Pet: { type: object, required: [name], properties: { name: { type: string } } } }
  securitySchemes: { apiKey: { type: apiKey, in: header, name: X-Key } }
`;

/** A folder with an API, where `npx` finds its program. */
async function makeFolder(files: Record<string, unknown> = { "api/pets.yaml": PETS }): Promise<string> {
  const cwd = await makeProject(files);
  await linkOpenApi(cwd);
  return cwd;
}

async function readEntry(cwd: string): Promise<unknown> {
  const text = await readFile(join(cwd, "codemode.config.json"), "utf8");
  return (JSON.parse(text) as { mcpServers: Record<string, unknown> }).mcpServers["pets"];
}

const ADD = ["add", "pets", "--openapi", "api/pets.yaml"];

test("add --openapi writes the entry, locks it, and says operations, logins and variables", async () => {
  const cwd = await makeFolder();
  const added = await runCodemode([...ADD, "--", "--include", "GET *"], { cwd });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("Found: 1 operation, 1 with the type of the result\n");
  expect(added.stderr).toContain("Login: apiKey in header X-Key, from PETS_API_KEY: not set yet\n");
  expect(added.stderr).toContain("pets: 1 tool, added\n");
  expect(await readEntry(cwd)).toEqual({
    command: "npx",
    args: [
      ...["-y", "@codemode/openapi@0.1.0", "./api/pets.yaml", "--include", "GET *"],
      ...["--origin", "https://pets.example", "--variables", "PETS"],
    ],
    env: { OPENAPI_API_KEY: "${PETS_API_KEY:-}" },
  });
});

test("add --openapi hands on what the tokens of an OAuth login are fetched with", async () => {
  const flow = "flows: { clientCredentials: { tokenUrl: https://pets.example/token, scopes: {} } }";
  const scheme = `apiKey: { type: oauth2, ${flow} }`;
  const document = PETS.replace("apiKey: { type: apiKey, in: header, name: X-Key }", scheme);
  const cwd = await makeFolder({ "api/pets.yaml": document });
  const added = await runWithoutNpm(ADD, { cwd, env: { PETS_API_KEY_CLIENT_ID: "me" } });
  expect(added.code, added.stderr).toBe(0);
  const [token, client, secret] = ["", "_CLIENT_ID", "_CLIENT_SECRET"].map((end) => `PETS_API_KEY${end}`);
  expect(added.stderr).toContain(`Login: oauth2, from ${token}, ${client}, ${secret}: partly set\n`);
  const names = ["", "_CLIENT_ID", "_CLIENT_SECRET", "_CLIENT_AUTH", "_SCOPE", "_TOKEN_URL"].map(
    (end) => `API_KEY${end}`,
  );
  expect(await readEntry(cwd)).toMatchObject({
    env: Object.fromEntries(names.map((name) => [`OPENAPI_${name}`, `\${PETS_${name}:-}`])),
  });
});

test("a script calls the API with the login of the environment, which is in no file and no answer", async () => {
  const { origin, seen } = await startScriptedApi(({ headers }, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ name: headers["x-key"] })),
  );
  const cwd = await makeFolder();
  const env = { PETS_API_KEY: "key-of-the-user", TOKEN: "token-of-the-user" };
  const words = ["--header", "Authorization: Bearer ${TOKEN}", "--", "--base-url", origin];
  const added = await runWithoutNpm([...ADD, ...words], { cwd, env });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("from PETS_API_KEY: set\n");
  expect(await readEntry(cwd)).toMatchObject({ env: { OPENAPI_HEADERS: "Authorization: Bearer ${TOKEN}" } });
  const code = 'import { getPet } from "@codemode/servers/pets"; export default await getPet({ id: 7 });';
  const run = await runWithoutNpm(["run", "--eval", code], { cwd, env });
  expect(run.code, run.stderr).toBe(0);
  expect(seen).toMatchObject([
    { url: "/pets/7", headers: { "x-key": "key-of-the-user", authorization: "Bearer token-of-the-user" } },
  ]);
  expect(run.stdout).not.toContain("key-of-the-user");
  for (const file of ["codemode.config.json", "codemode.lock.json"])
    expect(await readFile(join(cwd, file), "utf8")).not.toMatch(/of-the-user/);
});

test("two APIs that call their login the same have a token each, and messages name the variable of each", async () => {
  const answer = (status: number) =>
    startScriptedApi((_, response) => response.writeHead(status, { "content-type": "application/json" }).end("{}"));
  const [first, second] = [await answer(401), await answer(401)];
  const bearer = PETS.replaceAll("apiKey: []", "bearerAuth: []").replace(
    /apiKey: \{.*\} \}/,
    "bearerAuth: { type: http, scheme: bearer } }",
  );
  const of = (origin: string): string => bearer.replace("https://pets.example", origin);
  const cwd = await makeFolder({ "a.yaml": of(first.origin), "b.yaml": of(second.origin) });
  // Two names that differ in no letter of a variable.
  for (const [name, file] of [
    ["my-pets", "a.yaml"],
    ["my_pets", "b.yaml"],
  ] as const) {
    const added = await runWithoutNpm(["add", name, "--openapi", file], { cwd });
    expect(added.code, added.stderr).toBe(0);
    expect(added.stderr).toMatch(/Its calls go to http:\/\/127\.0\.0\.1:\d+\/v1, on this machine\n/);
  }
  const code = `import * as a from "@codemode/servers/my-pets"; import * as b from "@codemode/servers/my-pets--2";
    const said = (pet) => pet.catch(({ message }) => message); export default [await said(a.getPet({ id: 7 })), await said(b.getPet({ id: 7 }))];`;
  const env = { MY_PETS_BEARER_AUTH: "token-one", OPENAPI_BEARER_AUTH: "token-of-no-one" };
  const run = await runWithoutNpm(["run", "--eval", code], { cwd, env });
  expect(run.code, run.stderr).toBe(0);
  expect(first.seen).toMatchObject([{ url: "/v1/pets/7", headers: { authorization: "Bearer token-one" } }]);
  expect(second.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect(run.stdout).toMatch(/set MY_PETS_BEARER_AUTH,[^]*set MY_PETS_2_BEARER_AUTH,/);
});

test("a document that names another server later does not start, and any other change is drift", async () => {
  const cwd = await makeFolder();
  expect((await runWithoutNpm([...ADD], { cwd })).code).toBe(0);
  const file = join(cwd, "api/pets.yaml");
  await writeFile(file, PETS.replace("description: ok", "description: fine"));
  const changed = await runWithoutNpm(["diff"], { cwd });
  expect(changed).toMatchObject({ code: 3, stdout: expect.stringContaining("serverInfo changed") as string });
  await writeFile(file, PETS.replace("pets.example", "evil.example"));
  const moved = await runWithoutNpm(["diff"], { cwd });
  expect(moved.code).toBe(1);
  expect(moved.stderr).toContain("the document is for https://evil.example, and --origin says https://pets.example");
});

test("what is wrong with a document is one line with its place, and nothing is written", async () => {
  const cwd = await makeFolder({ "api/pets.yaml": PETS.replace("/pets/{id}:", "pets/{id}:") });
  const wrong = await runWithoutNpm(ADD, { cwd });
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toBe(
    "error: ./api/pets.yaml cannot be added: pets.yaml:6: #/paths/pets~1{id}: a path must begin with /.\nhint: Write it as /pets/{id}.\n",
  );
  // Where a cloud machine has its credentials: no document sends calls there by its word alone.
  await writeFile(join(cwd, "near.yaml"), PETS.replace("pets.example", "169.254.169.254"));
  const near = await runWithoutNpm(["add", "pets", "--openapi", "near.yaml"], { cwd });
  expect(near.stderr).toContain("its calls go to https://169.254.169.254/v1, which is not of the public network");
  await expect(readFile(join(cwd, "codemode.config.json"))).rejects.toThrow("ENOENT");
});

const TENANT = PETS.replace(
  "servers: [{ url: https://pets.example/v1 }]",
  "servers: [{ url: 'https://{tenant}.{region}.example/v1', variables: { tenant: { default: acme }, region: { default: us, enum: [us, de] } } }]",
);

test("an address that is an example of the document is refused until its variable is set, and is named with all of its variables", async () => {
  const cwd = await makeFolder({ "api/pets.yaml": TENANT });
  const env = { PETS_API_KEY: "key-of-the-user" };
  const refused = await runWithoutNpm(ADD, { cwd, env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toBe(
    "error: ./api/pets.yaml cannot be added: pets.yaml:3: #/servers: the address https://{tenant}.{region}.example/v1 is not complete: there is no value for tenant (its example: acme).\n" +
      "hint: Give -- --server-variable tenant=VALUE, or if the example is right, -- --base-url https://acme.us.example/v1.\n",
  );
  await expect(readFile(join(cwd, "codemode.config.json"))).rejects.toThrow("ENOENT");
  const added = await runWithoutNpm([...ADD, "--", "--server-variable", "tenant=mine"], { cwd, env });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("Its calls go to https://mine.us.example/v1\n");
  expect(added.stderr).toContain(
    "region in this address is us, of us, de. Another one: -- --server-variable region=VALUE\n",
  );
  const { args } = (await readEntry(cwd)) as { args: string[] };
  expect(args.slice(3)).toEqual([
    ...["--server-variable", "tenant=mine", "--origin", "https://mine.us.example", "--variables", "PETS"],
  ]);
});

test("an operation that cannot be read is a warning, and a login that is an argument has a line and an option", async () => {
  const parameter = "{ name: api_key, in: query, required: true, schema: { type: string } }";
  const wrong = "  /wrong: { get: { security: key } }\n";
  const document = PETS.replace("security: [{ apiKey: [] }]\n", "")
    .replace("{ type: integer } }]\n", `{ type: integer } }, ${parameter}]\n`)
    .replace("components:\n", `${wrong}components:\n`);
  const cwd = await makeFolder({ "api/pets.yaml": document });
  const added = await runWithoutNpm(ADD, { cwd });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("Found: 2 operations, 1 with the type of the result\n");
  expect(added.stderr).toContain(
    "The argument api_key of 1 tool may be a login. To keep it out of scripts: -- --argument 'api_key: ${PETS_API_KEY}'\n",
  );
  expect(added.stderr).toMatch(/warning: an operation is left out: .*security must be a list\n/);
  const words = ["add", "other", "--openapi", "api/pets.yaml", "--", "--argument", "api_key: ${PETS_API_KEY}"];
  const env = { PETS_API_KEY: "key-of-the-user" };
  const given = await runWithoutNpm(words, { cwd, env });
  expect(given.code, given.stderr).toBe(0);
  expect(given.stderr).not.toContain("may be a login");
  const config = await readFile(join(cwd, "codemode.config.json"), "utf8");
  expect(JSON.parse(config)).toMatchObject({
    mcpServers: { other: { env: { OPENAPI_ARGUMENTS: "api_key: ${PETS_API_KEY}" } } },
  });
  expect(config).not.toContain("--argument");
  const lockfile = JSON.parse(await readFile(join(cwd, "codemode.lock.json"), "utf8")) as {
    servers: Record<string, unknown>;
  };
  expect(JSON.stringify(lockfile.servers["other"])).not.toContain('"api_key"');
});
