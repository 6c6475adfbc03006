import { BASE62, type DocumentedEntry, remote, run, runWith } from "./documented-entry.ts";

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
