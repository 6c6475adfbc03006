/** Discovery and types. */
export const SECTION_4: Readonly<Record<string, string>> = {
  "4/modules": "The sandbox MUST provide a stable set of built-in modules under `@codemode/*`.",
  "4.1/single-module": "Discovery APIs MUST be available through a single module.",
  "4.1/exports":
    "The module MUST export `specVersion`, listServers, describeServer, listTools, getTool and searchTools.",
  "4.2/types": "The core data types MUST be supported.",
  "4.2.1/server-info": "A ServerInfo has serverId and serverName, both REQUIRED.",
  "4.2.2/server-description": "A ServerDescription has all fields of ServerInfo.",
  "4.2.3/tool-summary": "A ToolSummary has toolName and exportName, both REQUIRED.",
  "4.2.4/tool-definition": "A ToolDefinition has all fields of ToolSummary, and the schemas where the server has them.",
  "4.2.5/search-results": "SearchResults have query and results, and each result its serverId, all REQUIRED.",
  "4.2.6/default-detail": 'The detail of listTools defaults to "description".',
  "4.2.7/server-id": "serverId restricts a search to a single server.",
  "4.2.7/limit": "limit is the maximum number of results.",
  "4.3/supported": "searchTools and listTools MUST support `detail`.",
  "4.3/name": '"name" returns only toolName and exportName.',
  "4.3/description": '"description" includes description and annotations.',
  "4.3/full": '"full" includes inputSchema and outputSchema.',
  "4.4/injected": "A host MUST inject TypeScript declarations for connected servers into the agent context.",
  "4.4/cover-all": "The declarations MUST cover all exported tool bindings of each connected server.",
  "4.4/rules": "The declarations MUST follow the generation rules of 6.2.",
  "4.5/errors": "The sandbox MUST provide `@codemode/errors` defining standardized error classes.",
};
