/** What an MCP client does with names and answers, as far as what we send depends on it. */
export interface ClientTraits {
  /** Matches the `name` of its `clientInfo`. */
  client: RegExp;
  /** `underscore` where the client hands names on unchanged to an API that refuses a dot, or drops a tool that has one. */
  toolName: "dot" | "underscore";
  /** `both` where the model reads one of text and structured content, whichever it is; else the one that is to be sent. */
  answer: "both" | "text" | "structured";
  /** How we know, with the version that was tried. */
  evidence: string;
}

/** A client of which nothing is known. */
export const UNKNOWN_CLIENT: ClientTraits = { client: /$^/, toolName: "dot", answer: "both", evidence: "the defaults" };

/**
 * The clients for which the defaults are wrong, with what differs. A name without a dot harms none, so a name that several libraries share is
 * here if one of them needs it.
 */
const KNOWN_CLIENTS: readonly (Partial<ClientTraits> & Pick<ClientTraits, "client" | "evidence">)[] = [
  {
    client: /^qwen-(?:cli|code)-mcp-client/,
    toolName: "underscore",
    evidence: "Qwen Code 0.15.10 sends mcp__SERVER__NAME with the dot: status 400. Shows text only.",
  },
  {
    client: /^continue-(?:cli-)?client$/,
    toolName: "underscore",
    evidence: "Continue CLI 1.5.47 sends the bare name: status 400. Shows text only.",
  },
  {
    client: /^(?:@cline\/.*|cline)$/i,
    toolName: "underscore",
    answer: "text",
    evidence: "Cline CLI 3.0.65 replaces a name with a dot by one with a hash. Shows text and structured content.",
  },
  {
    client: /^codex-mcp-client$/,
    answer: "text",
    evidence:
      "Codex 0.169.0 shows nothing but structured content where there is any, so pictures are lost; else it shows all blocks.",
  },
  {
    client: /^ai-sdk-mcp-client$/,
    toolName: "underscore",
    evidence: "@ai-sdk/mcp 2.0 sends the bare name: status 400. Shows text only. A program may set another clientName.",
  },
  {
    client: /^@langchain\/mcp-adapters$/,
    toolName: "underscore",
    answer: "text",
    evidence: "@langchain/mcp-adapters 1.1.4 sends the bare name: status 400. Shows text and structured content.",
  },
  {
    client: /^codemode$/,
    toolName: "underscore",
    evidence:
      "Generic: libraries that call themselves by the server's key, which is ours. @mastra/mcp 2.0 keeps the dot and shows structured content only; @openai/agents 0.20 replaces it and shows text only.",
  },
  {
    client: /^mcp$/,
    toolName: "underscore",
    evidence: "Generic: the default of the Python SDK, and so of the Python libraries that hand names on unchanged.",
  },
  {
    client: /^mcporter$/,
    toolName: "underscore",
    evidence: 'mcporter 0.9.0 splits names at dots: "Unknown tool: codemode".',
  },
  {
    client: /^claude-ai$/,
    toolName: "underscore",
    evidence: "Claude Desktop 1.9659 refuses the whole list of tools (loomle/loomle#168).",
  },
  {
    client: /^cursor/i,
    toolName: "underscore",
    evidence: "Cursor drops tools with a dot (bavix/gripmock#875, webstudio-is/webstudio#5960).",
  },
  {
    client: /^github-copilot-developer$/,
    toolName: "underscore",
    evidence: "Copilot CLI 0.0.423 sends the dot: status 400 (github/copilot-cli#1879); 1.0.102 replaces it.",
  },
  {
    client: /^Visual[ -]Studio[ -]Code/,
    toolName: "underscore",
    evidence: "VS Code warns at each start of the server that the name is invalid.",
  },
];

export const CLIENT_TRAITS: readonly ClientTraits[] = KNOWN_CLIENTS.map((known) => ({ ...UNKNOWN_CLIENT, ...known }));

/** Longer names are cut. */
export const LONGEST_CLIENT_NAME = 64;

/** The traits of a client by what it calls itself, which is a claim: nothing but names and the form of answers may follow from it. */
export function traitsOf(clientName: string | undefined): ClientTraits {
  const name = clientName?.slice(0, LONGEST_CLIENT_NAME) ?? "";
  return CLIENT_TRAITS.find(({ client }) => client.test(name)) ?? UNKNOWN_CLIENT;
}
