// The MCP SDK: a client in the same process, for a framework that speaks MCP itself.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { openProject } from "codemode";
import { code } from "./stand-in/script.ts";

const project = await openProject();
await using engine = await project.openEngine();
const [near, far] = InMemoryTransport.createLinkedPair();
await engine.connectTo(far);

const client = new Client({ name: "example", version: "1.0.0" });
await client.connect(near);
const { tools } = await client.listTools();
const { content } = await client.callTool({ name: tools[0]?.name ?? "", arguments: { code } });
await client.close();
console.log(JSON.stringify(content));
