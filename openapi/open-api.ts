import type { OpenApiServerOptions } from "./server-options.ts";
import { type CalledApi, callOperation } from "./call-operation.ts";
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { type ApiDocument, parseDocument } from "./document/parse-document.ts";
import { isObject, objectAt, textAt } from "./json.ts";
import { type ApiLogin, countLoginArguments, listLogins } from "./list-logins.ts";
import { OpenApiError, toLine } from "./openapi-error.ts";
import { listOperations, listScopes, type Operation, toPlaceKey } from "./operations.ts";
import { selectOperations } from "./select-operations.ts";
import { type ApiServer, listTrusted, locateServers } from "./request/api-server.ts";
import { assertKeyHeader } from "./request/call-key.ts";
import { type Credentials, readCredentials } from "./request/credentials.ts";
import { PREFIX, readEnvironment } from "./request/environment.ts";
import type { AddressVariable } from "./request/server-address.ts";
import { boundText } from "./tools/convert-schema.ts";
import { type ApiTool, makeTools } from "./tools/make-tools.ts";
import { pageTools } from "./tools/page-tools.ts";
import { VERSION } from "./version.ts";

/** An API as an MCP server. */
export interface OpenApiServer {
  /** The tools, one for each operation. */
  readonly tools: readonly ToolDefinition[];
  /** The logins that the operations want. */
  readonly logins: readonly ApiLogin[];
  /** The environment variables that logins of the document are read from, and whether each is set. */
  readonly variables: Readonly<Record<string, boolean>>;
  /** Where logins go: the origin of the first server of the document, or of `baseUrl`. Undefined where the document has none. */
  readonly origin: string | undefined;
  /** The address itself. */
  readonly base: URL | undefined;
  /** The address that the document was read from; undefined for a file. */
  readonly address: URL | undefined;
  /** The variables in the address that logins go to, and what stands for each. */
  readonly serverVariables: readonly AddressVariable[];
  /** What could not be read, each with its place and the reason: the operations are no tools. */
  readonly leftOut: readonly string[];
  /** Arguments that look like a login by their names, with the number of tools that have each. */
  readonly loginArguments: Readonly<Record<string, number>>;
  /** The hash of the document, over all of its files. */
  readonly digest: string;
  /** Makes the MCP server for one connection; connect it to a transport. */
  makeServer(): ApiConnection;
}

/** A tool as MCP lists it. */
export interface ToolDefinition {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: ObjectSchema;
  /** A JSON Schema of the structured result; absent where the document does not say what comes back. */
  outputSchema?: { [keyword: string]: unknown } | undefined;
  annotations?: object | undefined;
}

/** A JSON Schema of objects. */
export interface ObjectSchema {
  type: "object";
  properties?: { [name: string]: unknown } | undefined;
  required?: string[] | undefined;
  [keyword: string]: unknown;
}

/** An MCP server that is not connected yet. */
export interface ApiConnection {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

/** A transport of an MCP SDK, such as its `StdioServerTransport`. */
export interface Transport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

/** What the package gives, as it is: users need not have the SDK whose class the server is. */
interface OpenedApi extends OpenApiServer {
  makeServer(): Server;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 10 * 1024 * 1024;
/** The tools change when the document is read again, which is at the next start. */
const TOOLS_TTL_MS = 3_600_000;

/** Reads a document, and makes an MCP server of it. */
export async function openApi(document: string | object, options: OpenApiServerOptions): Promise<OpenedApi> {
  const parsed = await parseDocument(document, options);
  try {
    return openDocument(parsed, options);
  } catch (error) {
    throw parsed.placeLine(error);
  }
}

function openDocument(document: ApiDocument, options: OpenApiServerOptions): OpenedApi {
  assertKeyHeader(options.idempotencyHeader);
  const all = listOperations(document);
  const selected = selectOperations(all, [...(options.include ?? [])], [...(options.exclude ?? [])]);
  const { variables: prefix = PREFIX } = options;
  const env = readEnvironment(options.env ?? {}, options.variables);
  const trust = options.mock === true ? undefined : listTrusted(document, options);
  const scopes = listScopes(selected);
  const { headers = [], fixedArguments: fixed = [] } = options;
  const credentials = readCredentials(document, { headers, fixed, env, prefix, trust, scopes });
  const outputSchemas = options.outputSchemas !== false;
  const locate = trust === undefined ? () => MOCK_SERVER : locateServers(document, options, trust);
  const isGiven = options.mock === true || options.baseUrl !== undefined;
  const addressOf = (operation: Operation): string => (isGiven ? "" : locate(operation).url.href.replace(/\/$/, ""));
  const tools = makeTools(document, all, selected, {
    outputSchemas,
    int64: options.int64,
    hidden: listHidden(credentials),
    fixed: new Set(credentials.fixed.keys()),
    idempotencyHeader: options.idempotencyHeader,
    addressOf,
  });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const api: CalledApi = {
    ...{ document, credentials, locate, trust, isMock: options.mock === true },
    followsRedirects: options.followRedirects === true,
    limits: { timeoutMs: options.timeoutMs ?? TIMEOUT_MS, maxBytes: options.maxBytes ?? MAX_BYTES },
  };
  const logins = listLogins(document, selected, credentials);
  const names = logins.flatMap(({ variables }) => variables);
  return {
    tools: tools.map(({ definition }) => definition),
    logins,
    variables: Object.fromEntries(names.map((name) => [name, env[name] !== undefined])),
    origin: trust?.base?.origin,
    base: trust?.base,
    address: document.address,
    serverVariables: trust?.variables ?? [],
    leftOut: document.leftOut.map(({ error }) => error.message),
    loginArguments: countLoginArguments(tools),
    digest: document.digest,
    makeServer: () => makeServer(api, byName),
  };
}

const MOCK_SERVER: ApiServer = {
  url: new URL("http://mock.invalid"),
  guard: { assertHost: refuseMock },
  isTrusted: false,
};

function refuseMock(): never {
  throw new OpenApiError("SERVER_REFUSED", "nothing is sent with --mock", "Leave --mock out.");
}

/** What the command gives itself is no argument. */
function listHidden({ headers, schemes }: Credentials): ReadonlySet<string> {
  const given = [...headers, ...[...schemes.values()].flat()];
  return new Set(given.map(({ place, name }) => toPlaceKey(place, name)));
}

function makeServer(api: CalledApi, tools: ReadonlyMap<string, ApiTool>): Server {
  const info = objectAt(api.document.root, "info") ?? {};
  const server = new Server(
    {
      name: "codemode-openapi",
      title: toLine(textAt(info, "title") ?? "", 100),
      // Who keeps what a server says of itself sees that the document is another one, also where no tool is.
      description: `OpenAPI document ${api.document.digest}`,
      version: VERSION,
    },
    {
      capabilities: { tools: {} },
      instructions: boundText(
        [textAt(info, "title"), textAt(info, "description")].flatMap((text) => text ?? []).join("\n\n"),
        1_000,
      ),
      cacheHints: { "tools/list": { ttlMs: TOOLS_TTL_MS, cacheScope: "private" } },
    },
  );
  const definitions = [...tools.values()].map(({ definition }) => definition);
  server.setRequestHandler("tools/list", ({ params }) => pageTools(definitions, params?.cursor));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${toLine(params.name, 80)}`);
    return callOperation(api, tool, isObject(params.arguments) ? params.arguments : {}, context);
  });
  return server;
}
