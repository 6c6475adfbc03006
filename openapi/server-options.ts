import type { Environment } from "./request/environment.ts";

/** What a person decides about an API. */
export interface OpenApiServerOptions {
  /** The address of the API, in place of the servers of the document. The only way to a private address. */
  baseUrl?: string | undefined;
  /** `NAME=VALUE` for variables in the addresses of the document's servers: a default among any values is an example, and is not used. */
  serverVariables?: readonly string[] | undefined;
  /** Where the first server of the document must be, as `https://api.example`: a changed document takes no login elsewhere. */
  origin?: string | undefined;
  /** Origins beside the first server of the document that headers and logins go to. */
  trustOrigins?: readonly string[] | undefined;
  /** Only these operations: `tag:NAME`, `METHOD /path`, `/path` or an operation id, each with `*`. */
  include?: readonly string[] | undefined;
  /** Not these operations. */
  exclude?: readonly string[] | undefined;
  /** Headers for every request, such as `Authorization: Bearer ${TOKEN}`. */
  headers?: readonly string[] | undefined;
  /** Values of parameters and fields by their names, such as `token: ${TOKEN}`: they are no arguments of tools. */
  fixedArguments?: readonly string[] | undefined;
  /** Whether a GET is read from another public host where the API redirects to one, without headers and logins. */
  followRedirects?: boolean | undefined;
  /**
   * The header by which the API knows a request that comes again, for every operation that does more than read. Unless given, what the document
   * calls `Idempotency-Key`, or in a like way.
   */
  idempotencyHeader?: string | undefined;
  /** Where `${NAME}` and the variables of logins are read. Nothing, where it is not given. */
  env?: Environment | undefined;
  /** What the variables of logins begin with, such as `PETS`; `OPENAPI` where it is not given. */
  variables?: string | undefined;
  /** Answers from the examples and schemas of the document. Nothing is sent. */
  mock?: boolean | undefined;
  /** Whether tools have output schemas; `true` where it is not given. */
  outputSchemas?: boolean | undefined;
  /** How integers of 64 bits are given: JavaScript changes those beyond 2^53. As numbers unless given. */
  int64?: "number" | "string" | undefined;
  /** For one call. */
  timeoutMs?: number | undefined;
  /** For the answer to one call. */
  maxBytes?: number | undefined;
  /** Ends the reading of the document. */
  signal?: AbortSignal | undefined;
}
