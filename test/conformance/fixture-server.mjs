// A stdio server with those tools of the conformance suite whose answers pass through codemode: `serve.direct` shows them
// under the names that the suite calls, since the server's id is `test`.

import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (words) => ({ type: "text", text: words });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const resource = (uri, mimeType, content) => ({ type: "resource", resource: { uri, mimeType, text: content } });

const RESULTS = {
  simple_text: { content: [text("This is a simple text response for testing.")] },
  image_content: { content: [image] },
  audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  embedded_resource: { content: [resource("test://embedded-resource", "text/plain", "An embedded resource.")] },
  multiple_content_types: {
    content: [text("Several:"), image, resource("test://mixed-content-resource", "application/json", '{"value":123}')],
  },
  error_handling: { isError: true, content: [text("This tool intentionally returns an error for testing")] },
  logging_tool: { content: [text("logged")] },
  // The project asks a person before it calls these.
  input_required_result_elicitation: { content: [text("called")] },
  input_required_result_request_state: { content: [text("called")] },
  input_required_result_tampered_state: { content: [text("called")] },
};

serveStdio(() => {
  const server = new Server({ name: "fixture", version: "1" }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(RESULTS).map((name) => ({
      name,
      description: `Answers ${name}`,
      inputSchema: { type: "object", properties: {} },
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    if (params.name === "logging_tool") await server.sendLoggingMessage({ level: "info", data: "on its way" });
    return RESULTS[params.name];
  });
  return server;
});
