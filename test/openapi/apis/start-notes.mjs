// An application of Fastify. Its document comes of the schemas of its routes, which also check what comes and goes.
import rateLimit from "@fastify/rate-limit";
import swagger from "@fastify/swagger";
import fastify from "fastify";

const FIELDS = {
  title: { type: "string", minLength: 1, maxLength: 80 },
  tags: { type: "array", items: { type: "string" }, uniqueItems: true },
  due: { type: "string", format: "date-time", nullable: true },
};
const object = (properties, required) => ({ type: "object", required, properties, additionalProperties: false });
const NOTE = object({ id: { type: "integer" }, version: { type: "integer" }, ...FIELDS }, ["id", "version", "title"]);
const ID = object({ id: { type: "integer", minimum: 1 } }, ["id"]);
const PAGE = object({
  page: { type: "integer", minimum: 1, default: 1 },
  size: { type: "integer", minimum: 1, maximum: 20, default: 5 },
  tag: { type: "array", items: { type: "string" } },
});

const notes = new Map();
let lastId = 0;
const app = fastify({ ajv: { customOptions: { removeAdditional: false } } });
await app.register(swagger, {
  openapi: {
    openapi: "3.0.3",
    info: { title: "Notes", version: "1.0.0" },
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  },
});
await app.register(rateLimit, { global: false });

app.setErrorHandler((error, _request, reply) => {
  const status = error.validation === undefined ? (error.statusCode ?? 500) : 422;
  return reply.code(status).send({ status, message: error.message });
});

function refuse(statusCode, message) {
  return Object.assign(new Error(message), { statusCode });
}

function findNote({ params }) {
  const note = notes.get(params.id);
  if (note === undefined) throw refuse(404, `There is no note ${params.id}`);
  return note;
}

const login = {
  async onRequest({ headers }) {
    if (headers.authorization !== `Bearer ${process.env.API_TOKEN}`) throw refuse(401, "A key is needed");
  },
};
const security = [{ key: [] }];

app.get(
  "/notes",
  { schema: { operationId: "listNotes", querystring: PAGE, response: { 200: { type: "array", items: NOTE } } } },
  async ({ query: { page, size, tag = [] } }, reply) => {
    const found = [...notes.values()].filter(({ tags = [] }) => tag.every((word) => tags.includes(word)));
    const words = (number) =>
      new URLSearchParams([["page", number], ["size", size], ...tag.map((word) => ["tag", word])]);
    if (page * size < found.length) reply.header("link", `</notes?${words(page + 1)}>; rel="next"`);
    return reply.header("x-total-count", found.length).send(found.slice((page - 1) * size, page * size));
  },
);
app.post(
  "/notes",
  { ...login, schema: { operationId: "addNote", security, body: object(FIELDS, ["title"]), response: { 201: NOTE } } },
  async ({ body }, reply) => {
    if (body.due?.startsWith("19")) throw refuse(422, "The due date is of another century");
    lastId += 1;
    const note = { id: lastId, version: 1, ...body };
    notes.set(lastId, note);
    return reply.code(201).send(note);
  },
);
app.get(
  "/notes/:id",
  { schema: { operationId: "getNote", params: ID, response: { 200: NOTE } } },
  async (request, reply) => {
    const note = findNote(request);
    return reply.header("etag", `"${note.version}"`).send(note);
  },
);
app.patch(
  "/notes/:id",
  {
    ...login,
    schema: {
      ...{ operationId: "changeNote", security, params: ID, body: object(FIELDS), response: { 200: NOTE } },
      headers: { type: "object", required: ["if-match"], properties: { "if-match": { type: "string" } } },
    },
  },
  async (request) => {
    const note = findNote(request);
    if (request.headers["if-match"] !== `"${note.version}"`) throw refuse(412, "The note has changed");
    return Object.assign(note, request.body, { version: note.version + 1 });
  },
);
app.delete(
  "/notes/:id",
  { ...login, schema: { operationId: "removeNote", security, params: ID, response: { 204: { type: "null" } } } },
  async (request, reply) => {
    notes.delete(findNote(request).id);
    return reply.code(204).send();
  },
);
app.get(
  "/export",
  {
    config: { rateLimit: { max: 2, timeWindow: "1 minute" } },
    schema: { operationId: "exportNotes", produces: ["text/csv"], response: { 200: { type: "string" } } },
  },
  async (_request, reply) => reply.type("text/csv").send([...notes.values()].map(({ title }) => title).join("\n")),
);
app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());

process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
