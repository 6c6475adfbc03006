import { CodeModeUtcpClient } from "@utcp/code-mode";
import { CallTemplateSerializer, CommunicationProtocol, Serializer } from "@utcp/sdk";
import { OWN_FUNCTIONS } from "../contenders/own-functions.js";
import { writeBody } from "../contenders/write-script.js";

const TYPE = "own";

class AsItIs extends Serializer {
  toDict = (template) => template;
  validateDict = (template) => template;
}

/** UTCP knows no functions: they are a protocol of their own. */
class OwnProtocol extends CommunicationProtocol {
  async registerManual(_client, template) {
    const tools = Object.entries(OWN_FUNCTIONS).map(([name, { description, inputSchema, outputSchema }]) => ({
      ...{ name, description, inputs: inputSchema, outputs: outputSchema, tags: [], tool_call_template: template },
    }));
    const manual = { utcp_version: "1.0.0", manual_version: "1.0.0", tools };
    return { manualCallTemplate: template, manual, success: true, errors: [] };
  }
  async deregisterManual() {}
  async callTool(_client, name, args) {
    return OWN_FUNCTIONS[name.split(".").at(-1)].execute(args);
  }
}

/** UTCP with functions of the process that asks. Its calls block the script. */
export async function open() {
  // What it says of itself is not the result.
  console.log = console.error;
  CallTemplateSerializer.registerCallTemplate(TYPE, new AsItIs(), true);
  CommunicationProtocol.communicationProtocols[TYPE] = new OwnProtocol();
  const client = await CodeModeUtcpClient.create();
  const registered = await client.registerManual({ name: "everything", call_template_type: TYPE });
  if (!registered.success) throw new Error(String(registered.errors));
  return {
    async run(work) {
      if (work.parallel) throw new Error("its calls block the script: none can run beside another");
      const { statements, remark } = writeBody(work, 'everything.echo({ message: "hello" })');
      const script = `${statements.replaceAll("await ", "")}return last ?? 1;${remark}`;
      const { result, logs } = await client.callToolChain(script);
      if (result === null || result === undefined) throw new Error(String(logs));
      return result;
    },
    close: () => client.close?.(),
  };
}
