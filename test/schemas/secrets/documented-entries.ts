import type { ServerEntry } from "../../../schemas/config.ts";

/** How a server's own documentation says to configure it, with made-up secrets; and where they are: place, then variable. */
export interface DocumentedEntry {
  name: string;
  entry: ServerEntry;
  secrets: Record<string, string>;
}

const HEX = "4f1c9ab07de35268b1f0c2d94e7a8356";
const BASE62 = "q7Rk2LmZ9xTcV4bN8sWdJ3fH6gYpA1eU";

const run = (name: string, command: string, words: string, secrets: Record<string, string> = {}): DocumentedEntry => ({
  name,
  entry: { command, args: words.split(" ") },
  secrets,
});
const runWith = (name: string, env: Record<string, string>, secrets: Record<string, string> = {}): DocumentedEntry => ({
  name,
  entry: { command: "npx", args: ["-y", `@acme/${name}`], env },
  secrets,
});
const remote = (
  name: string,
  url: string,
  headers: Record<string, string>,
  secrets: Record<string, string> = {},
): DocumentedEntry => ({ name, entry: { type: "http", url, headers }, secrets });

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

const DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Entries that hold none, though something in them looks like one. */
export const WITHOUT_SECRETS: readonly DocumentedEntry[] = [
  run(
    "filesystem",
    "npx",
    "-y @modelcontextprotocol/server-filesystem@2026.8.31 /home/me/Documents C:\\Users\\Me\\Projects",
  ),
  run(
    "playwright",
    "npx",
    "-y @playwright/mcp@0.0.83 --browser chrome --storage-state ./auth/state.json --user-agent Mozilla/5.0",
  ),
  run("git", "uvx", "mcp-server-git --repository https://github.com/acme/Repo2Name"),
  run("pinned", "npx", "-y git+https://github.com/acme/server.git#4f1c9ab07de35268b1f0c2d94e7a83564f1c9ab0"),
  run("image", "docker", `run -i --rm mcp/server@sha256:${DIGEST}`),
  run(
    "image",
    "docker",
    "run -i --rm -p 8080:8080 -v /var/run/docker.sock:/var/run/docker.sock --name token-server mcp/time:latest",
  ),
  run("checksum", "fetch-and-run", `--integrity sha512-${BASE62}${BASE62}== --sha256 ${DIGEST}`),
  run("forwarded", "docker", "run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server"),
  run(
    "placeholder",
    "npx",
    "-y x --api-key ${EXA_API_KEY} --token=${env:TOKEN} --dsn postgres://app:${PG_PASSWORD}@db/shop",
  ),
  run("shell", "sh", "-c TOKEN=$TOKEN;exec"),
  run("default", "npx", "-y x --api-key ${EXA_API_KEY:-none}"),
  run(
    "files",
    "npx",
    "-y x --token-file /run/secrets/token --key ./client.key --credentials ~/.config/gcloud/adc.json",
  ),
  run("limits", "npx", "-y x --max-tokens 4096 --tokens 8000 --token-limit 100000 --session-timeout 30m"),
  run("switches", "npx", "-y x --auth none --auth-type oauth2 --no-auth --token --stdio --password --verbose"),
  run("models", "npx", "-y x --model claude-sonnet-4-5-20250929 --embedding sentence-transformers/all-MiniLM-L6-v2"),
  run("models", "npx", "-y x --model Qwen2.5-Coder-32B-Instruct-GPTQ-Int4"),
  run(
    "ids",
    "npx",
    "-y x --project-ref abcdefghijklmnopqrst --id 123e4567-e89b-42d3-a456-426614174000 --account 699d98642c564d2e855e9661899b7252",
  ),
  run("keys", "npx", "-y x --project-key SHOP --cache-key build-2026-11 --primary-key id --sort-key createdAt"),
  run("public", "npx", "-y x --publishable-key pk_live_1234567890 --public-key MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"),
  run("class", "java", "-cp lib com.acme.tokens.AbstractSingletonProxyFactoryBean2ImplV3Server"),
  run("sk", "uvx", "sk-learn-text-analysis-server npm_config_registry hf_transformers_server"),
  run("proxy", "npx", "-y x --proxy http://proxy.example.com:3128 --url https://user@example.com/path"),
  run("authors", "npx", "-y x --author jane-doe-1984-berlin --keyspace prod_2026_cluster --keyboard qwertz-105-keys"),
  run(
    "manual",
    "npx",
    "-y x --api-key YOUR_API_KEY --token <your-token> --password ***** --secret your-secret-here --pat xxxx",
  ),
  run(
    "secretname",
    "npx",
    "-y x --secret-name prod/db-2026 --secret-id arn:aws:secretsmanager:eu-central-1:1:secret:db",
  ),
  run("dsn", "npx", "-y x --dsn sqlite:///home/me/data.db"),
  run("header", "npx", "mcp-remote https://x.example.com/sse --header Authorization:${AUTH_HEADER}"),
  runWith("quiet", {
    LOG_LEVEL: "debug",
    NODE_ENV: "production",
    DISABLE_AUTH: "true",
    AUTH_METHOD: "token",
    USE_TOKEN: "1",
  }),
  runWith("files", {
    GOOGLE_APPLICATION_CREDENTIALS: "/home/me/key.json",
    SSH_AUTH_SOCK: "/tmp/agent.1",
    PRIVATE_KEY: "./id.pem",
  }),
  runWith("urls", {
    AUTH: "https://login.example.com/realms/shop",
    TOKEN_ENDPOINT: "https://login.example.com/token",
    NEO4J_URI: "neo4j://localhost",
  }),
  runWith("places", { MEMORY_FILE_PATH: "${workspaceFolder}/memory.jsonl", TOKEN: "${TOKEN}", KEY: "Bearer ${KEY}" }),
  runWith("greeting", { GREETING: "a=b", TZ: "Europe/Berlin", CACHE_KEY: "v2-linux-x64-abcdef", TEAM: "T01234567" }),
  remote("plain", "https://mcp.deepwiki.com/mcp", { Accept: "text/event-stream", "X-Session": "off" }),
  remote("query", "https://mcp.supabase.com/mcp?project_ref=abcdefghijklmnopqrst&features=docs&read_only=true", {}),
  remote(
    "uuid",
    "https://n8n.example.com/mcp/123e4567-e89b-42d3-a456-426614174000/sse?instance_id=123e4567-e89b-42d3-a456-426614174000",
    {},
  ),
  remote("port", "http://127.0.0.1:3000/mcp/v1.2.3/Some-Long-Path-Name-2026-Edition", {
    Authorization: "Bearer ${TOKEN}",
  }),
  remote("user", "https://me@example.com/mcp?key=${MAPS_KEY}", { "X-Api-Key": "${env:KEY}" }),
];
