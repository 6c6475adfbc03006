/** A call of a script, and the request that comes of it. */
export interface ExpectedCall {
  /** The name of the function, as scripts import it. */
  tool: string;
  input: object;
  /** Method and address. */
  sent: string;
  /** The body: a form as its pairs, where it has parts. */
  body?: unknown;
}

const FILE = { base64: Buffer.from("hi").toString("base64"), filename: "a.txt", mediaType: "text/plain" };
const BULK = [{ index: { _index: "notes", _id: "1" } }, { text: "first" }];

/** Two calls of each document, of the forms that earlier versions could not make. */
export const CALLS: Readonly<Record<string, readonly ExpectedCall[]>> = {
  adyen: [
    {
      tool: "post_payments",
      input: {
        amount: { currency: "EUR", value: 1000 },
        ...{ merchantAccount: "Shop", reference: "order-1", returnUrl: "https://shop.example/back" },
        paymentMethod: { type: "ideal", issuer: "1121" },
      },
      sent: "POST /payments",
      body: {
        amount: { currency: "EUR", value: 1000 },
        ...{ merchantAccount: "Shop", reference: "order-1", returnUrl: "https://shop.example/back" },
        paymentMethod: { type: "ideal", issuer: "1121" },
      },
    },
    {
      tool: "post_paymentMethods",
      input: { merchantAccount: "Shop" },
      sent: "POST /paymentMethods",
      body: { merchantAccount: "Shop" },
    },
  ],
  asana: [
    {
      tool: "createTask",
      input: { data: { name: "Write", workspace: "12" } },
      sent: "POST /tasks",
      body: { data: { name: "Write", workspace: "12" } },
    },
    {
      tool: "getTask",
      input: { task_gid: "7", opt_fields: ["name", "notes"] },
      sent: "GET /tasks/7?opt_fields=name,notes",
    },
  ],
  box: [
    {
      tool: "post_files_content",
      input: { attributes: { name: "a.txt", parent: { id: "0" } }, file: FILE },
      sent: "POST /files/content",
      body: [
        ["attributes", '{"name":"a.txt","parent":{"id":"0"}}'],
        ["file", "hi"],
      ],
    },
    { tool: "get_files_id_content", input: { file_id: "7" }, sent: "GET /files/7/content" },
  ],
  discord: [
    {
      tool: "create_message",
      input: { channel_id: "5", content: "hello", files_0_: FILE },
      sent: "POST /channels/5/messages",
      body: [
        ["content", "hello"],
        ["files[0]", "hi"],
      ],
    },
    {
      tool: "create_message",
      input: { channel_id: "5", content: "hello" },
      sent: "POST /channels/5/messages",
      body: { content: "hello" },
    },
  ],
  elastic: [
    { tool: "bulk", input: { body: BULK, refresh: "true" }, sent: "POST /_bulk?refresh=true", body: BULK },
    { tool: "search", input: { q: "text:first", size: 5 }, sent: "GET /_search?q=text%3Afirst&size=5" },
  ],
  okta: [
    {
      tool: "createApplication",
      input: {
        body: {
          label: "Docs",
          signOnMode: "BOOKMARK",
          name: "bookmark",
          settings: { app: { url: "https://docs.example" } },
        },
      },
      sent: "POST /api/v1/apps",
      body: {
        label: "Docs",
        signOnMode: "BOOKMARK",
        name: "bookmark",
        settings: { app: { url: "https://docs.example" } },
      },
    },
    { tool: "listUsers", input: { q: "ada", limit: 5 }, sent: "GET /api/v1/users?q=ada&limit=5" },
  ],
  openai: [
    {
      tool: "createChatCompletion",
      input: { model: "gpt-5", messages: [{ role: "user", content: "hi" }] },
      sent: "POST /chat/completions",
      body: { messages: [{ role: "user", content: "hi" }], model: "gpt-5" },
    },
    {
      tool: "CreateContainerFile",
      input: { container_id: "c", file: FILE },
      sent: "POST /containers/c/files",
      body: [["file", "hi"]],
    },
  ],
  pagerduty: [
    {
      tool: "createIncident",
      input: {
        From: "ada@example.com",
        incident: { type: "incident", title: "Down", service: { id: "P1", type: "service_reference" } },
      },
      sent: "POST /incidents",
      body: { incident: { type: "incident", title: "Down", service: { id: "P1", type: "service_reference" } } },
    },
    {
      tool: "listIncidents",
      input: { statuses_: "triggered", limit: 5 },
      sent: "GET /incidents?limit=5&statuses%5B%5D=triggered",
    },
  ],
  qdrant: [
    {
      tool: "query_points",
      input: {
        collection_name: "notes",
        query: [0.1, 0.2],
        filter: { must: [{ key: "kind", match: { value: "a" } }] },
        limit: 3,
      },
      sent: "POST /collections/notes/points/query",
      body: { query: [0.1, 0.2], filter: { must: [{ key: "kind", match: { value: "a" } }] }, limit: 3 },
    },
    { tool: "get_collections", input: {}, sent: "GET /collections" },
  ],
  sentry: [
    { tool: "listOrganizations", input: { query: "acme" }, sent: "GET /api/0/organizations/?query=acme" },
    {
      tool: "createOrganizationDashboard",
      input: { organization_id_or_slug: "acme", title: "Errors" },
      sent: "POST /api/0/organizations/acme/dashboards/",
      body: { title: "Errors" },
    },
  ],
  slack: [
    {
      tool: "chat_postMessage",
      input: { token: "t", channel: "C1", text: "hello" },
      sent: "POST /chat.postMessage",
      body: "channel=C1&text=hello",
    },
    { tool: "conversations_list", input: { token: "t", limit: 5 }, sent: "GET /conversations.list?token=t&limit=5" },
  ],
  twilio: [
    {
      tool: "CreateMessage",
      input: { AccountSid: `AC${"0".repeat(32)}`, To: "+15550001", From: "+15550002", Body: "hello" },
      sent: `POST /2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json`,
      body: "To=%2B15550001&From=%2B15550002&Body=hello",
    },
    {
      tool: "ListMessage",
      input: { AccountSid: `AC${"0".repeat(32)}`, DateSent_gt: "2026-01-01T00:00:00Z" },
      sent: `GET /2010-04-01/Accounts/AC${"0".repeat(32)}/Messages.json?DateSent%3E=2026-01-01T00%3A00%3A00Z`,
    },
  ],
};
