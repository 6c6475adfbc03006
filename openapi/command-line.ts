import { parseArgs } from "node:util";
import { OpenApiError } from "./openapi-error.ts";
import type { OpenApiServerOptions } from "./server.ts";

/** What a command line says. */
export type CommandLine =
  | { help: true }
  | {
      help: false;
      document: string;
      options: OpenApiServerOptions;
      /** Prints the tools, and starts nothing. */
      list: boolean;
      /** Prints how many operations there are, and their logins, and starts nothing. */
      describe: boolean;
      /** The scheme to log in at, instead of a start. */
      login: string | undefined;
      loginPort: number | undefined;
    };

/** The help of the command. */
export const HELP = `Usage: npx @codemode/openapi DOCUMENT [options]

An MCP server on standard input and output, with a tool for each operation of an OpenAPI document.
DOCUMENT is a file or an address: OpenAPI 3.0, 3.1 or Swagger 2.0, as JSON or YAML.

  --base-url URL         the address of the API, in place of the servers of the document
  --server-variable NAME=VALUE
                         a variable in the address of the document's servers; repeatable
  --header 'NAME: VALUE' a header for every request; \${VARIABLE} is read from the environment; repeatable
  --argument 'NAME: VALUE'
                         the value of an argument, such as a login, which tools then do not have; repeatable
  --idempotency-header NAME
                         the header by which the API knows a request that comes again, where its document has none
  --origin URL           where the first server of the document must be: a changed document takes no login elsewhere
  --variables NAME       what the variables of its logins begin with, in place of OPENAPI
  --trust-origin URL     another origin of the document that headers and logins go to; repeatable
  --follow-redirects     a GET is read from another public host that the API names, without headers and logins
  --include PATTERN      only these operations: tag:pets, 'GET *', '/pets/*' or an operation id; repeatable
  --exclude PATTERN      not these operations; repeatable
  --mock                 answers from examples and schemas of the document; nothing is sent
  --no-output-schemas    tools do not say what comes back
  --int64 string         integers of 64 bits are texts of digits, which JavaScript does not change
  --timeout MS           for one call (30000)
  --max-bytes N          for one answer (10485760)
  --list                 prints the tools, and starts nothing
  --describe             prints how many operations there are, and their logins, as JSON; starts nothing
  --login SCHEME         logs in at an OAuth login of the document, and prints the token for its variable
  --login-port PORT      the port of its redirect address, where the client is registered with one
  --help                 prints this
`;

/** Reads a command line; a mistake in it is an error with one line. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { values, positionals } = parse(words);
  if (values.help === true) return { help: true };
  const [document, ...others] = positionals;
  if (document === undefined) throw mistake("no document is given");
  if (others.length > 0) throw mistake(`there is more than one document: ${others.join(" ")}`);
  return {
    ...{ help: false, document, list: values.list === true, describe: values.describe === true, login: values.login },
    loginPort: toCount("login-port", values["login-port"]),
    options: {
      baseUrl: values["base-url"],
      serverVariables: values["server-variable"],
      origin: values.origin,
      trustOrigins: values["trust-origin"],
      include: values.include,
      exclude: values.exclude,
      headers: values.header,
      fixedArguments: values.argument,
      idempotencyHeader: values["idempotency-header"],
      variables: toPrefix(values.variables),
      followRedirects: values["follow-redirects"],
      mock: values.mock,
      outputSchemas: values["no-output-schemas"] !== true,
      int64: toInt64(values.int64),
      timeoutMs: toCount("timeout", values.timeout),
      maxBytes: toCount("max-bytes", values["max-bytes"]),
    },
  };
}

function parse(words: readonly string[]) {
  const text = { type: "string" } as const;
  const list = { type: "string", multiple: true } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...{
          "base-url": text,
          origin: text,
          timeout: text,
          "max-bytes": text,
          login: text,
          "login-port": text,
          "idempotency-header": text,
          variables: text,
          int64: text,
        },
        ...{
          header: list,
          argument: list,
          "server-variable": list,
          "trust-origin": list,
          include: list,
          exclude: list,
        },
        ...{
          "follow-redirects": flag,
          mock: flag,
          "no-output-schemas": flag,
          list: flag,
          describe: flag,
          help: { ...flag, short: "h" },
        },
      },
    });
  } catch (error) {
    throw mistake(error instanceof Error ? (error.message.split(". ", 1)[0] ?? "") : String(error));
  }
}

function toCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw mistake(`--${name} must be a whole number above 0`);
}

function toInt64(text: string | undefined): "number" | "string" | undefined {
  if (text === undefined || text === "number" || text === "string") return text;
  throw mistake("--int64 must be string or number");
}

function toPrefix(text: string | undefined): string | undefined {
  if (text === undefined || /^[A-Z_][A-Z0-9_]{0,99}$/.test(text)) return text;
  throw mistake("--variables must be upper-case letters, digits and _, such as PETS");
}

function mistake(cause: string): OpenApiError {
  return new OpenApiError("COMMAND_INVALID", cause, "npx @codemode/openapi --help lists the options.");
}
