// A stdio server with those tools of the conformance suite whose answers pass through codemode: `serve.direct` shows them
// under the names that the suite calls, since the server's id is `test`.

import { inputRequired, inputResponse, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { FORMS, pause, PROGRESS, RESULTS, text } from "./fixture-tools.mjs";

serveStdio(() => {
  const server = new Server({ name: "fixture", version: "1" }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [...Object.keys(RESULTS), ...Object.keys(FORMS), ...PROGRESS].map((name) => ({
      name,
      description: `Answers ${name}`,
      inputSchema: { type: "object", properties: {} },
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    if (PROGRESS.includes(params.name)) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (params.name === "tool_with_logging")
          await server.sendLoggingMessage({ level: "info", data: `at ${progress}` });
        else await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await pause();
      }
      return { content: [text("done")] };
    }
    if (FORMS[params.name] !== undefined) {
      const requestedSchema = { type: "object", properties: FORMS[params.name] };
      const answer = inputResponse(mcpReq.inputResponses, "form");
      if (answer.kind !== "elicit") {
        const asked = inputRequired.elicit({ message: "Please", requestedSchema });
        return inputRequired({ inputRequests: { form: asked } });
      }
      return { content: [text(`Elicitation completed: ${JSON.stringify(answer)}`)] };
    }
    if (params.name === "logging_tool") await server.sendLoggingMessage({ level: "info", data: "on its way" });
    return RESULTS[params.name];
  });
  return server;
});
