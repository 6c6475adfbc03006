// index.d.ts
export { __meta__ } from "./meta.js";
export { echo, type EchoInput, type EchoOutput } from "./tools/echo.js";
export { get_annotated_message, type GetAnnotatedMessageInput, type GetAnnotatedMessageOutput } from "./tools/get_annotated_message.js";
export { get_env, type GetEnvInput, type GetEnvOutput } from "./tools/get_env.js";
export { get_resource_links, type GetResourceLinksInput, type GetResourceLinksOutput } from "./tools/get_resource_links.js";
export { get_resource_reference, type GetResourceReferenceInput, type GetResourceReferenceOutput } from "./tools/get_resource_reference.js";
export { get_roots_list, type GetRootsListInput, type GetRootsListOutput } from "./tools/get_roots_list.js";
export { get_structured_content, type GetStructuredContentInput, type GetStructuredContentOutput } from "./tools/get_structured_content.js";
export { get_sum, type GetSumInput, type GetSumOutput } from "./tools/get_sum.js";
export { get_tiny_image, type GetTinyImageInput, type GetTinyImageOutput } from "./tools/get_tiny_image.js";
export { gzip_file_as_resource, type GzipFileAsResourceInput, type GzipFileAsResourceOutput } from "./tools/gzip_file_as_resource.js";
export { simulate_research_query, type SimulateResearchQueryInput, type SimulateResearchQueryOutput } from "./tools/simulate_research_query.js";
export { toggle_simulated_logging, type ToggleSimulatedLoggingInput, type ToggleSimulatedLoggingOutput } from "./tools/toggle_simulated_logging.js";
export { toggle_subscriber_updates, type ToggleSubscriberUpdatesInput, type ToggleSubscriberUpdatesOutput } from "./tools/toggle_subscriber_updates.js";
export { trigger_elicitation_request, type TriggerElicitationRequestInput, type TriggerElicitationRequestOutput } from "./tools/trigger_elicitation_request.js";
export { trigger_elicitation_request_async, type TriggerElicitationRequestAsyncInput, type TriggerElicitationRequestAsyncOutput } from "./tools/trigger_elicitation_request_async.js";
export { trigger_long_running_operation, type TriggerLongRunningOperationInput, type TriggerLongRunningOperationOutput } from "./tools/trigger_long_running_operation.js";
export { trigger_sampling_request, type TriggerSamplingRequestInput, type TriggerSamplingRequestOutput } from "./tools/trigger_sampling_request.js";
export { trigger_sampling_request_async, type TriggerSamplingRequestAsyncInput, type TriggerSamplingRequestAsyncOutput } from "./tools/trigger_sampling_request_async.js";
export { trigger_url_elicitation, type TriggerUrlElicitationInput, type TriggerUrlElicitationOutput } from "./tools/trigger_url_elicitation.js";

// prompts/index.d.ts
export { __meta__ } from "./meta.js";
export { args_prompt, type ArgsPromptInput, type ArgsPromptOutput } from "./tools/args_prompt.js";
export { simple_prompt, type SimplePromptInput, type SimplePromptOutput } from "./tools/simple_prompt.js";

// prompts/meta.d.ts
/** What the server and its tools are called (specification 5.2). */
export declare const __meta__: {
  readonly serverId: string;
  readonly serverName: string;
  readonly serverVersion?: string;
  readonly tools: readonly { readonly toolName: string; readonly exportName: string; readonly description?: string }[];
};

// prompts/tools/args_prompt.d.ts
export interface ArgsPromptInput {
  /** Name of the city */
  city: string;
  state?: string;
}

export interface ArgsPromptOutput {
  messages: {
    content: {
      type: string;
      data?: string;
      mimeType?: string;
      resource?: {
        [k: string]: unknown;
      };
      text?: string;
    };
    role: "user" | "assistant";
  }[];
  description?: string;
}

/**
 * A prompt with two arguments, one required and one optional
 *
 * Annotations: read-only.
 *
 * @param input.city - Name of the city
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function args_prompt(input: ArgsPromptInput): Promise<ArgsPromptOutput>;

// prompts/tools/simple_prompt.d.ts
export interface SimplePromptInput {
  [k: string]: never;
}

export interface SimplePromptOutput {
  messages: {
    content: {
      type: string;
      data?: string;
      mimeType?: string;
      resource?: {
        [k: string]: unknown;
      };
      text?: string;
    };
    role: "user" | "assistant";
  }[];
  description?: string;
}

/**
 * A prompt with no arguments
 *
 * Annotations: read-only.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function simple_prompt(input?: SimplePromptInput): Promise<SimplePromptOutput>;

// resources/index.d.ts
export { __meta__ } from "./meta.js";
export { read, type ReadInput, type ReadOutput } from "./tools/read.js";
export { Dynamic_Blob_Resource, type DynamicBlobResourceInput, type DynamicBlobResourceOutput } from "./tools/Dynamic_Blob_Resource.js";
export { Dynamic_Text_Resource, type DynamicTextResourceInput, type DynamicTextResourceOutput } from "./tools/Dynamic_Text_Resource.js";
export { list, type ListInput, type ListOutput } from "./tools/list.js";

// resources/meta.d.ts
/** What the server and its tools are called (specification 5.2). */
export declare const __meta__: {
  readonly serverId: string;
  readonly serverName: string;
  readonly serverVersion?: string;
  readonly tools: readonly { readonly toolName: string; readonly exportName: string; readonly description?: string }[];
};

// resources/tools/Dynamic_Blob_Resource.d.ts
export interface DynamicBlobResourceInput {
  resourceId: string;
}

/** Of type application/octet-stream. */
export type DynamicBlobResourceOutput = string | {
  blob: string;
  uri: string;
  mimeType?: string;
} | ({
  text: string;
  uri: string;
  mimeType?: string;
} | {
  blob: string;
  uri: string;
  mimeType?: string;
})[];

/**
 * Binary (base64) dynamic resource fabricated from the {resourceId} variable, which must be an integer.
 *
 * Annotations: read-only.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Dynamic_Blob_Resource(input: DynamicBlobResourceInput): Promise<DynamicBlobResourceOutput>;

// resources/tools/Dynamic_Text_Resource.d.ts
export interface DynamicTextResourceInput {
  resourceId: string;
}

/** Of type text/plain. */
export type DynamicTextResourceOutput = string | {
  blob: string;
  uri: string;
  mimeType?: string;
} | ({
  text: string;
  uri: string;
  mimeType?: string;
} | {
  blob: string;
  uri: string;
  mimeType?: string;
})[];

/**
 * Plaintext dynamic resource fabricated from the {resourceId} variable, which must be an integer.
 *
 * Annotations: read-only.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function Dynamic_Text_Resource(input: DynamicTextResourceInput): Promise<DynamicTextResourceOutput>;

// resources/tools/list.d.ts
export interface ListInput {
  [k: string]: never;
}

export type ListOutput = {
  name: string;
  uri: string;
  description?: string;
  mimeType?: string;
  size?: number;
  title?: string;
}[];

/**
 * Lists the resources that there are now.
 *
 * Annotations: read-only.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list(input?: ListInput): Promise<ListOutput>;

// resources/tools/read.d.ts
/** The URI, as `list` gives it. */
export type ReadInput = string;

export type ReadOutput = string | {
  blob: string;
  uri: string;
  mimeType?: string;
} | ({
  text: string;
  uri: string;
  mimeType?: string;
} | {
  blob: string;
  uri: string;
  mimeType?: string;
})[];

/**
 * Reads a resource: its text, or its bytes in base64.
 *
 * Annotations: read-only.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read(input: ReadInput): Promise<ReadOutput>;

// tools/echo.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface EchoInput {
  /** Message to echo */
  message: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type EchoOutput = string | McpResult;

/**
 * Echoes back the input string
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.message - Message to echo
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function echo(input: EchoInput): Promise<EchoOutput>;

// tools/get_annotated_message.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetAnnotatedMessageInput {
  /** Type of message to demonstrate different annotation patterns */
  messageType: "error" | "success" | "debug";
  /** Whether to include an example image. Default: `false`. */
  includeImage?: boolean;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetAnnotatedMessageOutput = string | McpResult;

/**
 * Demonstrates how annotations can be used to provide metadata about content.
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.messageType - Type of message to demonstrate different annotation patterns
 * @param input.includeImage - Whether to include an example image. Default: `false`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_annotated_message(input: GetAnnotatedMessageInput): Promise<GetAnnotatedMessageOutput>;

// tools/get_env.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetEnvInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetEnvOutput = string | McpResult;

/**
 * Returns all environment variables, helpful for debugging MCP server configuration
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_env(input?: GetEnvInput): Promise<GetEnvOutput>;

// tools/get_resource_links.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetResourceLinksInput {
  /** Number of resource links to return (1-10). Minimum: `1`. Maximum: `10`. Default: `3`. */
  count?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetResourceLinksOutput = string | McpResult;

/**
 * Returns up to ten resource links that reference different types of resources
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.count - Number of resource links to return (1-10). Minimum: `1`. Maximum: `10`. Default: `3`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_resource_links(input?: GetResourceLinksInput): Promise<GetResourceLinksOutput>;

// tools/get_resource_reference.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetResourceReferenceInput {
  /** ID of the text resource to fetch. Default: `1`. */
  resourceId?: number;
  /** Default: `"Text"`. */
  resourceType?: "Text" | "Blob";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetResourceReferenceOutput = string | McpResult;

/**
 * Returns a resource reference that can be used by MCP clients
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.resourceId - ID of the text resource to fetch. Default: `1`.
 * @param input.resourceType - Default: `"Text"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_resource_reference(input?: GetResourceReferenceInput): Promise<GetResourceReferenceOutput>;

// tools/get_roots_list.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetRootsListInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetRootsListOutput = string | McpResult;

/**
 * Lists the current MCP roots provided by the client. Demonstrates the roots protocol capability even though this server doesn't access files.
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_roots_list(input?: GetRootsListInput): Promise<GetRootsListOutput>;

// tools/get_structured_content.d.ts
export interface GetStructuredContentInput {
  /** Choose city */
  location: "New York" | "Chicago" | "Los Angeles";
}

export interface GetStructuredContentOutput {
  /** Weather conditions description */
  conditions: string;
  /** Humidity percentage */
  humidity: number;
  /** Temperature in celsius */
  temperature: number;
}

/**
 * Returns structured content along with an output schema for client data validation
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.location - Choose city
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_structured_content(input: GetStructuredContentInput): Promise<GetStructuredContentOutput>;

// tools/get_sum.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetSumInput {
  /** First number */
  a: number;
  /** Second number */
  b: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetSumOutput = string | McpResult;

/**
 * Returns the sum of two numbers
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.a - First number
 * @param input.b - Second number
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_sum(input: GetSumInput): Promise<GetSumOutput>;

// tools/get_tiny_image.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GetTinyImageInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GetTinyImageOutput = string | McpResult;

/**
 * Returns a tiny MCP logo image.
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_tiny_image(input?: GetTinyImageInput): Promise<GetTinyImageOutput>;

// tools/gzip_file_as_resource.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface GzipFileAsResourceInput {
  /**
   * URL or data URI of the file content to compress. Format: uri. Default: `"https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md"`.
   */
  data?: string;
  /** Name of the output file. Default: `"README.md.gz"`. */
  name?: string;
  /**
   * How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read later, 'resource' returns a full resource object. Default: `"resourceLink"`.
   */
  outputType?: "resourceLink" | "resource";
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type GzipFileAsResourceOutput = string | McpResult;

/**
 * Compresses a single file using gzip compression. Depending upon the selected output type, returns either the compressed data as a gzipped resource or a resource link, allowing it to be downloaded in a subsequent request during the current session.
 *
 * Annotations: not read-only, not destructive, idempotent, open world.
 *
 * @param input.data - URL or data URI of the file content to compress. Format: uri. Default: `"https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md"`.
 * @param input.name - Name of the output file. Default: `"README.md.gz"`.
 * @param input.outputType - How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read later, 'resource' returns a full resource object. Default: `"resourceLink"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function gzip_file_as_resource(input?: GzipFileAsResourceInput): Promise<GzipFileAsResourceOutput>;

// tools/simulate_research_query.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface SimulateResearchQueryInput {
  /** The research topic to investigate */
  topic: string;
  /** Simulate an ambiguous query that requires clarification (triggers input_required status). Default: `false`. */
  ambiguous?: boolean;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type SimulateResearchQueryOutput = string | McpResult;

/**
 * Simulates a deep research operation that gathers, analyzes, and synthesizes information. Demonstrates MCP task-based operations with progress through multiple stages. If 'ambiguous' is true and client supports elicitation, sends an elicitation request for clarification.
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @param input.topic - The research topic to investigate
 * @param input.ambiguous - Simulate an ambiguous query that requires clarification (triggers input_required status). Default: `false`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function simulate_research_query(input: SimulateResearchQueryInput): Promise<SimulateResearchQueryOutput>;

// tools/toggle_simulated_logging.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ToggleSimulatedLoggingInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ToggleSimulatedLoggingOutput = string | McpResult;

/**
 * Toggles simulated, random-leveled logging on or off.
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function toggle_simulated_logging(input?: ToggleSimulatedLoggingInput): Promise<ToggleSimulatedLoggingOutput>;

// tools/toggle_subscriber_updates.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface ToggleSubscriberUpdatesInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type ToggleSubscriberUpdatesOutput = string | McpResult;

/**
 * Toggles simulated resource subscription updates on or off.
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function toggle_subscriber_updates(input?: ToggleSubscriberUpdatesInput): Promise<ToggleSubscriberUpdatesOutput>;

// tools/trigger_elicitation_request.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TriggerElicitationRequestInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TriggerElicitationRequestOutput = string | McpResult;

/**
 * Trigger a Request from the Server for User Elicitation
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function trigger_elicitation_request(input?: TriggerElicitationRequestInput): Promise<TriggerElicitationRequestOutput>;

// tools/trigger_elicitation_request_async.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TriggerElicitationRequestAsyncInput {
  [k: string]: unknown;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TriggerElicitationRequestAsyncOutput = string | McpResult;

/**
 * Trigger an async elicitation request that the CLIENT executes as a background task. Demonstrates bidirectional MCP tasks where the server sends an elicitation request and the client handles user input asynchronously, allowing the server to poll for completion.
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function trigger_elicitation_request_async(input?: TriggerElicitationRequestAsyncInput): Promise<TriggerElicitationRequestAsyncOutput>;

// tools/trigger_long_running_operation.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TriggerLongRunningOperationInput {
  /** Duration of the operation in seconds. Default: `10`. */
  duration?: number;
  /** Number of steps in the operation. Default: `5`. */
  steps?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TriggerLongRunningOperationOutput = string | McpResult;

/**
 * Demonstrates a long running operation with progress updates.
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.duration - Duration of the operation in seconds. Default: `10`.
 * @param input.steps - Number of steps in the operation. Default: `5`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function trigger_long_running_operation(input?: TriggerLongRunningOperationInput): Promise<TriggerLongRunningOperationOutput>;

// tools/trigger_sampling_request.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TriggerSamplingRequestInput {
  /** The prompt to send to the LLM */
  prompt: string;
  /** Maximum number of tokens to generate. Default: `100`. */
  maxTokens?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TriggerSamplingRequestOutput = string | McpResult;

/**
 * Trigger a Request from the Server for LLM Sampling
 *
 * Annotations: not read-only, not destructive, not idempotent, open world.
 *
 * @param input.prompt - The prompt to send to the LLM
 * @param input.maxTokens - Maximum number of tokens to generate. Default: `100`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function trigger_sampling_request(input: TriggerSamplingRequestInput): Promise<TriggerSamplingRequestOutput>;

// tools/trigger_sampling_request_async.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TriggerSamplingRequestAsyncInput {
  /** The prompt to send to the LLM */
  prompt: string;
  /** Maximum number of tokens to generate. Default: `100`. */
  maxTokens?: number;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TriggerSamplingRequestAsyncOutput = string | McpResult;

/**
 * Trigger an async sampling request that the CLIENT executes as a background task. Demonstrates bidirectional MCP tasks where the server sends a request and the client executes it asynchronously, allowing the server to poll for progress and results.
 *
 * Annotations: not read-only, not destructive, not idempotent, open world.
 *
 * @param input.prompt - The prompt to send to the LLM
 * @param input.maxTokens - Maximum number of tokens to generate. Default: `100`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function trigger_sampling_request_async(input: TriggerSamplingRequestAsyncInput): Promise<TriggerSamplingRequestAsyncOutput>;

// tools/trigger_url_elicitation.d.ts
import type { McpResult } from "@codemode/runtime/results";

export interface TriggerUrlElicitationInput {
  /** The URL the user should open. Format: uri. */
  url: string;
  /** Optional explicit elicitation ID. Defaults to a random UUID. */
  elicitationId?: string;
  /**
   * Controls which elicitation mechanism is used. When false (default), sends an elicitation/create request (request path). When true, throws a UrlElicitationRequiredError (MCP error code -32042) so the client handles the URL elicitation via the error path rather than waiting for a response. To clear the error, satisfy the prerequisite and retry this call with the same arguments; the retry ignores errorPath and proceeds, so the client does not loop on the same error. Default: `false`.
   */
  errorPath?: boolean;
  /** Message shown to the user before opening the URL. Default: `"Please open the link to complete this action."`. */
  message?: string;
}

/** The server does not say more. A single text arrives as a string, anything else as the whole MCP result. */
export type TriggerUrlElicitationOutput = string | McpResult;

/**
 * Trigger a URL elicitation so the client can direct the user to a browser flow. Supports two mechanisms: the request path (elicitation/create, default) which awaits the user's response, and the error path (UrlElicitationRequiredError, -32042) which signals the client to handle URL elicitation via the error response. Set errorPath=true to use the error path.
 *
 * Annotations: not read-only, not destructive, not idempotent, open world.
 *
 * @param input.url - The URL the user should open. Format: uri.
 * @param input.elicitationId - Optional explicit elicitation ID. Defaults to a random UUID.
 * @param input.errorPath - Controls which elicitation mechanism is used. When false (default), sends an elicitation/create request (request path). When true, throws a UrlElicitationRequiredError (MCP error code -32042) so the client handles the URL elicitation via the error path rather than waiting for a response. To clear the error, satisfy the prerequisite and retry this call with the same arguments; the retry ignores errorPath and proceeds, so the client does not loop on the same error. Default: `false`.
 * @param input.message - Message shown to the user before opening the URL. Default: `"Please open the link to complete this action."`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function trigger_url_elicitation(input: TriggerUrlElicitationInput): Promise<TriggerUrlElicitationOutput>;

// sha256-tT9cd1e7Y7kDhm7ayptpGGjeksndr5U7dSVXLkt+G5E= of all files of the package
// c9ff7898c72f index.js
// b477aa737b9c meta.d.ts
// c31a4415bcd8 meta.js
// 070fc61ea8e1 prompts/index.js
// 32c68f536ba8 prompts/meta.js
// 5747ad9bb193 prompts/tools.json
// a6080e20c51f prompts/tools/args_prompt.js
// cb4582b4d7c0 prompts/tools/args_prompt.validator.js
// 664af1d21014 prompts/tools/simple_prompt.js
// 648a0e9a8447 prompts/tools/simple_prompt.validator.js
// a3a25e4efeec resources/index.js
// b6d7d94c22f6 resources/meta.js
// dd92e4b5738f resources/tools.json
// ff185c1dd1aa resources/tools/Dynamic_Blob_Resource.js
// a7492f1b21a9 resources/tools/Dynamic_Blob_Resource.validator.js
// 7ab85482b6cc resources/tools/Dynamic_Text_Resource.js
// a7492f1b21a9 resources/tools/Dynamic_Text_Resource.validator.js
// 61f4b9fa4302 resources/tools/list.js
// 648a0e9a8447 resources/tools/list.validator.js
// 7229ea7e94bb resources/tools/read.js
// 40b6e840fa03 resources/tools/read.validator.js
// 74421ad69c66 tools.json
// a82da71f0916 tools/echo.js
// 4103d8002f5e tools/echo.validator.js
// b82df174c2d3 tools/get_annotated_message.js
// 0bf356ae21db tools/get_annotated_message.validator.js
// f49dd4f3c441 tools/get_env.js
// cdb492bb99b9 tools/get_env.validator.js
// cf467add791f tools/get_resource_links.js
// 53a23e361191 tools/get_resource_links.validator.js
// d1e49d424e1a tools/get_resource_reference.js
// 0ff3066e6df5 tools/get_resource_reference.validator.js
// f7e253c42b90 tools/get_roots_list.js
// cdb492bb99b9 tools/get_roots_list.validator.js
// 934c4586117a tools/get_structured_content.js
// 9fedc0fe09bb tools/get_structured_content.validator.js
// 3e8f0492e270 tools/get_sum.js
// 6c9e8b413871 tools/get_sum.validator.js
// be5269edb2a7 tools/get_tiny_image.js
// cdb492bb99b9 tools/get_tiny_image.validator.js
// 6452db14723c tools/gzip_file_as_resource.js
// 83b211366c0a tools/gzip_file_as_resource.validator.js
// bd99b4499932 tools/simulate_research_query.js
// e073a6e52598 tools/simulate_research_query.validator.js
// f5bd2913c4d6 tools/toggle_simulated_logging.js
// cdb492bb99b9 tools/toggle_simulated_logging.validator.js
// f19d9510b7b9 tools/toggle_subscriber_updates.js
// cdb492bb99b9 tools/toggle_subscriber_updates.validator.js
// a54d706e4b10 tools/trigger_elicitation_request.js
// cdb492bb99b9 tools/trigger_elicitation_request.validator.js
// 1dd781738c5f tools/trigger_elicitation_request_async.js
// cdb492bb99b9 tools/trigger_elicitation_request_async.validator.js
// 2696292e42e7 tools/trigger_long_running_operation.js
// c9011c3060dd tools/trigger_long_running_operation.validator.js
// 0cc470e73a14 tools/trigger_sampling_request.js
// 54649c7fc2eb tools/trigger_sampling_request.validator.js
// da950069cca8 tools/trigger_sampling_request_async.js
// 54649c7fc2eb tools/trigger_sampling_request_async.validator.js
// 6424c64aa46f tools/trigger_url_elicitation.js
// 4d4337b894a8 tools/trigger_url_elicitation.validator.js
