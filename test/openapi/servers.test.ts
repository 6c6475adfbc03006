import { expect, test } from "vitest";
import { type ApiDocument, parseDocument } from "../../openapi/document/parse-document.ts";
import { listOperations } from "../../openapi/operations.ts";
import { listTrusted, locateServers } from "../../openapi/request/api-server.ts";
import type { OpenApiServerOptions } from "../../openapi/server-options.ts";
import { makeDocument } from "./connect-api.ts";

/** Where the requests of an operation go, and whether logins do; with `address`, the document is from there. */
async function locate(servers: object[], options: OpenApiServerOptions = {}, own: object = {}, address?: string) {
  const parsed = await parseDocument(makeDocument({ "/a": { get: { operationId: "a", ...own } } }, { servers }));
  const document: ApiDocument = { ...parsed, address: address === undefined ? undefined : new URL(address) };
  const [operation] = listOperations(document);
  if (operation === undefined) throw new Error("no operation");
  const { url, isTrusted, guard } = locateServers(document, options, listTrusted(document, options))(operation);
  return [url.href, isTrusted ? "with logins" : "without", guard.lookup === undefined ? "any" : "public"];
}

const server = (url: string, variables: object = {}): object => ({ url, variables });

test("the first server is used, with https where the document has both, and with the variables that are set", async () => {
  expect(await locate([server("https://a.example/v1"), server("https://b.example")])).toEqual([
    ...["https://a.example/v1", "with logins", "public"],
  ]);
  expect((await locate([server("http://a.example/v1"), server("https://a.example/v1")]))[0]).toBe(
    "https://a.example/v1",
  );
  expect((await locate([server("http://a.example"), server("https://b.example")]))[0]).toBe("http://a.example/");
  const variables = { region: { default: "eu" }, version: { default: "v2" } };
  const serverVariables = ["region=us", "version=v3"];
  expect((await locate([server("https://{region}.example/{version}", variables)], { serverVariables }))[0]).toBe(
    "https://us.example/v3",
  );
  await expect(locate([server("https://{region}.example")])).rejects.toThrow("does not say at which address");
});

test("an address by hand replaces all servers, and may be private", async () => {
  const options = { baseUrl: "http://localhost:1/v1" };
  const own = { servers: [server("https://b.example")] };
  expect(await locate([server("https://a.example")], options, own)).toEqual([
    "http://localhost:1/v1",
    "with logins",
    "any",
  ]);
  expect(await locate([], options)).toEqual(["http://localhost:1/v1", "with logins", "any"]);
});

test("a server of one operation gets no logins, unless a person says so", async () => {
  const main = [server("https://a.example")];
  const own = { servers: [server("https://b.example/up")] };
  expect(await locate(main, {}, own)).toEqual(["https://b.example/up", "without", "public"]);
  expect(await locate([], {}, own)).toEqual(["https://b.example/up", "without", "public"]);
  const trusting = { trustOrigins: ["https://b.example"] };
  expect(await locate(main, trusting, own)).toEqual(["https://b.example/up", "with logins", "any"]);
  // The same host without encryption is another origin.
  expect((await locate(main, {}, { servers: [server("http://a.example")] }))[1]).toBe("without");
});

test("a document for another origin than the given one does not start", async () => {
  const main = [server("https://a.example/v1")];
  expect((await locate(main, { origin: "https://a.example" }))[1]).toBe("with logins");
  const refused = "the document is for https://a.example, and --origin says";
  await expect(locate(main, { origin: "https://b.example" })).rejects.toThrow(`${refused} https://b.example`);
  await expect(locate(main, { origin: "http://a.example" })).rejects.toThrow(`${refused} http://a.example`);
  await expect(locate([], { origin: "https://a.example" })).rejects.toThrow("the document is for nowhere");
});

test("a relative server belongs to the address of the document", async () => {
  const address = "http://localhost:8080/docs/openapi.json";
  expect(await locate([server("/v1")], {}, {}, address)).toEqual(["http://localhost:8080/v1", "with logins", "any"]);
  expect(await locate([], {}, {}, address)).toEqual(["http://localhost:8080/", "with logins", "any"]);
  expect(await locate([server("http://localhost:9090")], {}, {}, address)).toEqual([
    ...["http://localhost:9090/", "with logins", "public"],
  ]);
  for (const url of ["ftp://a.example", "https://user:secret@a.example", "javascript:alert(1)", "file:///etc"]) {
    await expect(locate([server(url)], {}, {}, address)).rejects.toThrow("does not say at which address");
  }
});
