import { parseDocument } from "../../openapi/document/parse-document.ts";
import { listOperations, type Operation } from "../../openapi/operations.ts";

/** A document of Swagger 2.0 with one operation. */
export const swagger = (operation: object, rest: object = {}, method = "post"): object => ({
  ...{ swagger: "2.0", info: { title: "Old", version: "1" }, host: "api.example", schemes: ["https"] },
  paths: { "/a/{id}": { [method]: { operationId: "a", ...operation } } },
  ...rest,
});

/** The parameter of its path. */
export const ID = { in: "path", name: "id", required: true, type: "string" };

/** The one operation of a document. */
export async function read(operation: object, rest: object = {}, address?: string): Promise<Operation> {
  const parsed = await parseDocument(swagger({ ...operation, parameters: [ID, ...parametersOf(operation)] }, rest));
  const [found] = listOperations({ ...parsed, address: address === undefined ? undefined : new URL(address) });
  if (found === undefined) throw new Error("no operation");
  return found;
}

const parametersOf = (operation: object): object[] => (operation as { parameters?: object[] }).parameters ?? [];
