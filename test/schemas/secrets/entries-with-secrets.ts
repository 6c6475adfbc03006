import { BASE62, type DocumentedEntry, HEX, remote, run, runWith } from "./documented-entry.ts";

/** Entries that hold a secret. */
export const WITH_SECRETS: readonly DocumentedEntry[] = [
  run(
    "dbhub",
    "npx",
    "-y @bytebase/dbhub --transport stdio --dsn postgres://field:field@127.0.0.1/shop?sslmode=disable",
    {
      "args[5]": "DBHUB_DSN",
    },
  ),
  run("postgres", "npx", "-y @modelcontextprotocol/server-postgres postgresql://app:s3cr3t@db.example.com:5432/shop", {
    "args[2]": "POSTGRES_URL",
  }),
  run("mongodb", "npx", "-y mongodb-mcp-server --connectionString mongodb+srv://u:pw4321@cluster0.example.net/app", {
    "args[3]": "MONGODB_CONNECTION_STRING",
  }),
  run("redis", "npx", "-y @modelcontextprotocol/server-redis redis://:hunter22@localhost:6379", {
    "args[2]": "REDIS_URL",
  }),
  run("redis", "uvx", "--from redis-mcp-server redis-mcp-server --url redis://default:pw@h:6379/0", {
    "args[4]": "REDIS_URL",
  }),
  run("mysql", "npx", "-y mcp-mysql --host db --user root --password 123456", { "args[7]": "MYSQL_PASSWORD" }),
  run("jdbc", "java", "-jar server.jar jdbc:postgresql://h/db?user=u&password=pa55word1", {
    "args[2]": "JDBC_PASSWORD",
  }),
  run("mssql", "npx", "-y mssql-mcp Server=h;Database=d;UserId=sa;Password=Passw0rd!;", {
    "args[2]": "MSSQL_PASSWORD",
  }),
  run("blob", "npx", `-y blob-mcp DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${BASE62}==`, {
    "args[2]": "BLOB_ACCOUNT_KEY",
  }),
  run("figma", "npx", `-y figma-developer-mcp --figma-api-key=figd_${BASE62} --stdio`, { "args[2]": "FIGMA_API_KEY" }),
  run("context7", "npx", `-y @upstash/context7-mcp --api-key ctx7sk-${HEX}`, { "args[3]": "CONTEXT7_API_KEY" }),
  run("supabase", "npx", `-y @supabase/mcp-server-supabase --read-only --access-token sbp_${HEX}12345678`, {
    "args[4]": "SUPABASE_ACCESS_TOKEN",
  }),
  run("stripe", "npx", `-y @stripe/mcp --tools=all --api-key=sk_test_${BASE62}`, { "args[3]": "STRIPE_API_KEY" }),
  run("airtable", "npx", `-y airtable-mcp-server patAbCdEfGh123456.${HEX}${HEX}`, { "args[2]": "AIRTABLE_TOKEN" }),
  run("exa", "npx", `-y exa-mcp-server --apiKey=${HEX}`, { "args[2]": "EXA_API_KEY" }),
  run("magic", "npx", `-y @21st-dev/magic API_KEY=${HEX}`, { "args[2]": "API_KEY" }),
  run("paddle", "npx", `-y @paddle/paddle-mcp --api-key=pdl_sdbx_apikey_01${BASE62} --environment=sandbox`, {
    "args[2]": "PADDLE_API_KEY",
  }),
  run(
    "github",
    "docker",
    `run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=ghp_${BASE62}abcd ghcr.io/github/github-mcp-server`,
    {
      "args[4]": "GITHUB_PERSONAL_ACCESS_TOKEN",
    },
  ),
  run("gitlab", "npx", "-y gitlab-mcp --token=glpat-AbCdEf1234567890xyzW", { "args[2]": "GITLAB_TOKEN" }),
  run("slack", "slack-mcp-server", "--xoxp xoxp-1234567890-0987654321-abcdefABCDEF", { "args[1]": "SLACK_TOKEN" }),
  run("huggingface", "uvx", "hf-mcp --hf-token hf_AbCdEfGhIjKlMnOpQrStUvWx12", { "args[2]": "HUGGINGFACE_HF_TOKEN" }),
  run("elastic", "npx", `-y es-mcp --es-api-key ${BASE62}${BASE62}==`, { "args[3]": "ELASTIC_ES_API_KEY" }),
  run("brave", "npx", `-y brave-search-mcp --brave-api-key BSA${BASE62.slice(0, 27)}`, { "args[3]": "BRAVE_API_KEY" }),
  run("launchdarkly", "npx", `-y @launchdarkly/mcp-server start --api-key api-0a1b2c3d-1111-4222-8333-444455556666`, {
    "args[4]": "LAUNCHDARKLY_API_KEY",
  }),
  run("zapier", "npx", `-y mcp-remote https://mcp.zapier.com/api/mcp/s/${BASE62}${BASE62}/mcp`, {
    "args[2]": "ZAPIER_TOKEN",
  }),
  run("random", "npx", `-y some-mcp ${BASE62}`, { "args[2]": "RANDOM_TOKEN" }),
  {
    name: "linear",
    entry: {
      command: "npx",
      args: ["mcp-remote", "https://mcp.linear.app/sse", "--header", `Authorization: Bearer lin_api_${BASE62}`],
    },
    secrets: { "args[3]": "LINEAR_TOKEN" },
  },
  {
    name: "atlassian",
    entry: {
      command: "npx",
      args: ["mcp-remote", "https://x.example.com/mcp", "--header", "Authorization:Basic dXNlcjpwYXNzMTIzNDU2"],
    },
    secrets: { "args[3]": "ATLASSIAN_TOKEN" },
  },
  {
    name: "remote",
    entry: { command: "npx", args: ["mcp-remote", "https://x.example.com/mcp", "-H", `X-API-Key: ${HEX}`] },
    secrets: { "args[3]": "REMOTE_API_KEY" },
  },
  {
    name: "smithery",
    entry: { command: "npx", args: ["-y", "@smithery/cli", "run", "exa", "--config", `{"exaApiKey":"${HEX}"}`] },
    secrets: { "args[5]": "SMITHERY_EXA_API_KEY" },
  },
  {
    name: "smithery",
    entry: {
      command: "npx",
      args: ["-y", "@smithery/cli", "run", "exa", "--config", `"{\\"braveApiKey\\":\\"${HEX}\\"}"`],
    },
    secrets: { "args[5]": "SMITHERY_BRAVE_API_KEY" },
  },
  {
    name: "wrapped",
    entry: { command: "sh", args: ["-c", `API_TOKEN=${HEX} exec npx -y some-mcp`] },
    secrets: { "args[1]": "API_TOKEN" },
  },
  {
    name: "google",
    entry: {
      command: "npx",
      args: ["-y", "sheets-mcp"],
      env: {
        GOOGLE_CREDENTIALS:
          '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\\nMIIEvQ\\n-----END PRIVATE KEY-----"}',
      },
    },
    secrets: { "env.GOOGLE_CREDENTIALS": "GOOGLE_CREDENTIALS" },
  },
  runWith(
    "github",
    { GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_0123456789abcdefghij" },
    {
      "env.GITHUB_PERSONAL_ACCESS_TOKEN": "GITHUB_PERSONAL_ACCESS_TOKEN",
    },
  ),
  runWith(
    "slack",
    { SLACK_BOT_TOKEN: "xoxb-123-456-abc", SLACK_TEAM_ID: "T01234567" },
    {
      "env.SLACK_BOT_TOKEN": "SLACK_BOT_TOKEN",
    },
  ),
  runWith("notion", { NOTION_TOKEN: "ntn_123456789012abcdef" }, { "env.NOTION_TOKEN": "NOTION_TOKEN" }),
  runWith(
    "notion",
    { OPENAPI_MCP_HEADERS: `{"Authorization": "Bearer ntn_${HEX}", "Notion-Version": "2022-06-28"}` },
    {
      "env.OPENAPI_MCP_HEADERS": "OPENAPI_MCP_HEADERS",
    },
  ),
  runWith("maps", { GOOGLE_MAPS_API_KEY: `AIza${BASE62}abc` }, { "env.GOOGLE_MAPS_API_KEY": "GOOGLE_MAPS_API_KEY" }),
  runWith(
    "aws",
    {
      AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
      AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG/bPxRfiCY",
      AWS_REGION: "eu-central-1",
    },
    {
      "env.AWS_ACCESS_KEY_ID": "AWS_ACCESS_KEY_ID",
      "env.AWS_SECRET_ACCESS_KEY": "AWS_SECRET_ACCESS_KEY",
    },
  ),
  runWith(
    "obsidian",
    { OBSIDIAN_API_KEY: HEX, OBSIDIAN_HOST: "127.0.0.1", OBSIDIAN_PORT: "27124" },
    {
      "env.OBSIDIAN_API_KEY": "OBSIDIAN_API_KEY",
    },
  ),
  runWith(
    "jira",
    { ATLASSIAN_SITE_NAME: "acme", ATLASSIAN_USER_EMAIL: "a@example.com", ATLASSIAN_API_TOKEN: `ATATT3xFf${BASE62}` },
    {
      "env.ATLASSIAN_API_TOKEN": "ATLASSIAN_API_TOKEN",
    },
  ),
  runWith(
    "neo4j",
    { NEO4J_URI: "bolt://localhost:7687", NEO4J_USERNAME: "neo4j", NEO4J_PASSWORD: "letmein" },
    {
      "env.NEO4J_PASSWORD": "NEO4J_PASSWORD",
    },
  ),
  runWith("sentry", { SENTRY_AUTH: `sntrys_${BASE62}` }, { "env.SENTRY_AUTH": "SENTRY_AUTH" }),
  runWith("prisma", { DATABASE_URL: "mysql://root:root@localhost/shop" }, { "env.DATABASE_URL": "DATABASE_URL" }),
  runWith(
    "possessive",
    { DATABASE_URL: "mysql://root:mytoken@localhost/shop" },
    { "env.DATABASE_URL": "DATABASE_URL" },
  ),
  runWith("snowflake", { SNOWFLAKE_PAT: "abcdef0123" }, { "env.SNOWFLAKE_PAT": "SNOWFLAKE_PAT" }),
  remote(
    "docs",
    "https://docs.example.com/mcp",
    { Authorization: `Bearer ${HEX}` },
    { "headers.Authorization": "DOCS_TOKEN" },
  ),
  remote(
    "context7",
    "https://mcp.context7.com/mcp",
    { CONTEXT7_API_KEY: "abcdefgh1234" },
    {
      "headers.CONTEXT7_API_KEY": "CONTEXT7_API_KEY",
    },
  ),
  remote(
    "maps",
    "https://maps.example.com/mcp",
    { "X-Goog-Api-Key": "abcd-1234-efgh" },
    {
      "headers.X-Goog-Api-Key": "MAPS_GOOG_API_KEY",
    },
  ),
  remote(
    "shop",
    "https://shop.example.com/mcp",
    { Cookie: "sid=8f7e6d5c4b3a29180716" },
    { "headers.Cookie": "SHOP_COOKIE" },
  ),
  remote("exa", `https://mcp.exa.ai/mcp?exaApiKey=${HEX}&tools=search`, {}, { url: "EXA_API_KEY" }),
  remote("tavily", `https://mcp.tavily.com/mcp/?tavilyApiKey=tvly-dev-${BASE62}`, {}, { url: "TAVILY_API_KEY" }),
  remote("firecrawl", `https://mcp.firecrawl.dev/fc-${HEX}/v2/mcp`, {}, { url: "FIRECRAWL_TOKEN" }),
  remote("zapier", `https://mcp.zapier.com/api/mcp/s/${BASE62}/mcp`, {}, { url: "ZAPIER_TOKEN" }),
  remote("klavis", `https://api.example.com/${HEX}/mcp`, {}, { url: "KLAVIS_TOKEN" }),
  remote("mapbox", `https://mcp.mapbox.com/mcp?access_token=sk.${BASE62}`, {}, { url: "MAPBOX_ACCESS_TOKEN" }),
  remote(
    "jwt",
    "https://x.example.com/mcp?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123",
    {},
    { url: "JWT_TOKEN" },
  ),
  remote("gate", "https://agent:pa55w0rd@gate.example.com/mcp", {}, { url: "GATE_URL" }),
];
