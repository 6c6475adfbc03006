// What a program imports that connects with the SDK's client.
export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
export { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
