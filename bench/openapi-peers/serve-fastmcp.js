// Serves a document with the package `fastmcp` over stdio: `serve-fastmcp.js DOCUMENT`.
import { fromOpenAPI } from "fastmcp/openapi";

const server = await fromOpenAPI({ spec: process.argv[2], baseUrl: "https://api.example", maxTools: 10_000 });
await server.start({ transportType: "stdio" });
