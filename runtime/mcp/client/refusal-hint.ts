import { isJsonObject, ownValue, type JsonValue } from "../../../schemas/json/json.ts";
import { hintForMissingClient } from "../../bindings/call-failure.ts";

/** MCP 2026-07-28: the server knows none of the revisions that its client offers, and says which it knows. */
const UNSUPPORTED_VERSION = -32022;

/** What a server has refused: the action by its MCP method, with the error of its answer. */
interface Refusal {
  action: string;
  code: number;
  message: string;
  /** The revisions of MCP that it knows, as it lists them; empty where it lists none. */
  versions: string;
}

/** What to do about an error that a server answered. */
export function hintForRefusal({ action, code, message, versions }: Refusal): string {
  if (code === UNSUPPORTED_VERSION) {
    const known = versions === "" ? "another revision" : `only ${versions}`;
    return `The server speaks ${known} of MCP: update codemode, or use an earlier version of the server.`;
  }
  if (action === "tools/list")
    return "The server's own words say what it needs: the network, for instance, or a login.";
  return hintForMissingClient(message) ?? "Check the name and the input of what was asked.";
}

/** The revisions in the data of an error. */
export function listVersions(data: JsonValue): string {
  const supported = isJsonObject(data) ? ownValue(data, "supported") : undefined;
  return Array.isArray(supported) ? supported.filter((one) => typeof one === "string").join(", ") : "";
}
