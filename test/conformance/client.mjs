// The client that the conformance suite judges: the connection layer as it is, driven like a run drives it. The suite gives
// the server's URL as the last argument and what else a scenario needs in MCP_CONFORMANCE_CONTEXT.

import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import { connectWithLogin } from "../../runtime/mcp/connect-with-login.ts";
import { login } from "../../runtime/mcp/oauth/login.ts";
import { makeRunQuestions } from "../../runtime/host/questions/run-questions.ts";

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

/** What the CIMD scenario expects as client id; nothing is fetched from there. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";

const url = process.argv.at(-1);

/** What an operator writes into the configuration for a scenario, beside the client's id and secret. */
async function chooseSettings() {
  switch (scenario) {
    case "auth/client-credentials-basic":
      return { grant: "client_credentials", issuer: await findIssuer() };
    case "auth/client-credentials-jwt":
      return { grant: "client_credentials", issuer: await findIssuer(), privateKey: context.private_key_pem };
    case "auth/wif-jwt-bearer":
      return { grant: "jwt_bearer", issuer: await findIssuer(), assertion: context.valid_jwt };
    case "auth/enterprise-managed-authorization": {
      const { idp_token_endpoint: idpTokenEndpoint, idp_client_id: idpClientId, idp_id_token: idToken } = context;
      return { grant: "token_exchange", issuer: await findIssuer(), idpTokenEndpoint, idpClientId, idToken };
    }
    case "auth/dpop":
    case "auth/dpop-nonce":
      return { clientMetadataUrl: CLIENT_METADATA_URL, dpop: true };
    default:
      return { clientMetadataUrl: CLIENT_METADATA_URL };
  }
}

/** The suite does not say it; a person would read it where the authorization server was set up. */
async function findIssuer() {
  const { authorizationServerUrl, authorizationServerMetadata } = await discoverOAuthServerInfo(url);
  return authorizationServerMetadata?.issuer ?? authorizationServerUrl;
}

const target = {
  id: "conformance",
  name: "conformance",
  transport: "http",
  url,
  headers: {},
  timeoutMs: 60_000,
  oauth: {
    ...(await chooseSettings()),
    ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
    ...(context.client_secret === undefined ? {} : { clientSecret: context.client_secret }),
  },
};

/** Logs in without a person: the login pages of the suite redirect at once. */
async function openUrl(url) {
  const response = await fetch(url, { redirect: "manual" });
  await fetch(response.headers.get("location"));
}

/** Asks a user who says yes and fills nothing in: what has a default keeps it. */
const hearCall = makeRunQuestions({
  request: { ask: async () => ({ action: "accept", content: {} }), access: { mayApprove: true } },
  hold: () => () => undefined,
});

/** One use of a server; a login in front of it where it wants one, as often as a patient person would. */
async function useServer(action) {
  for (let logins = 0; ; logins += 1) {
    let connection;
    try {
      connection = await connectWithLogin(target);
      return await action(connection);
    } catch (error) {
      const wantsLogin = error.kind === "unauthorized" || error.kind === "forbidden";
      if (!wantsLogin || logins === 2) throw error;
    } finally {
      await connection?.close();
    }
    await login(target, { openUrl });
  }
}

/** An input that a tool with this schema may take. */
function toInput(schema) {
  const values = { integer: 3, number: 3, boolean: true };
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, { type }]) => [name, values[type] ?? "x"]),
  );
}

/** One tool wants back the schema of another, to see whether it came through unharmed. */
function chooseInput(tool, tools) {
  if (tool.name !== "json_schema_echo") return toInput(tool.inputSchema);
  return { schema: tools.find(({ name }) => name !== tool.name).inputSchema };
}

await useServer(async (connection) => {
  const { tools } = await connection.snapshot();
  const calls = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: chooseInput(tool, tools) }));
  for (const call of calls) {
    try {
      await connection.callTool(call.name, call.arguments, { listener: hearCall({ serverId: target.id }) });
    } catch (error) {
      process.stderr.write(`${call.name}: ${error.kind}: ${error.message}\n`);
      if (scenario.startsWith("auth/")) throw error;
    }
  }
});
