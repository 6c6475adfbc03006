// An MCP server that reveals its credential and its arguments on request.
import { answerLines } from "./answer-lines.mjs";

const token = [process.env.ECHO_TOKEN, ...process.argv.slice(2)].join(" ").trim();
const tool = (name, description) => ({ name, description, inputSchema: { type: "object" } });
const text = (words, isError = false) => ({ content: [{ type: "text", text: words }], isError });

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "echoing-server", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [tool("tell", `Tells ${token}`), tool("fail", "Fails.")] }),
  "tools/call": ({ name }) => (name === "tell" ? text(`It is ${token}.`) : text(`Not even ${token} helps.`, true)),
};

answerLines(answers);
