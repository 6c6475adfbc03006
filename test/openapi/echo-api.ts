import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** What the echo server read of a request, with parsers of its own. */
export interface Echo {
  method: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

interface Request {
  method: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** The part of Express that is used; the package has no types here. */
interface Express {
  (): App;
  json(options: object): unknown;
  urlencoded(options: object): unknown;
  text(options: object): unknown;
  raw(options: object): unknown;
}

interface App {
  (request: IncomingMessage, response: ServerResponse): void;
  set(name: string, value: unknown): void;
  use(...handlers: unknown[]): void;
  all(path: string, handler: unknown): void;
}

interface Response {
  json(value: unknown): void;
  sendStatus(status: number): void;
}

/** Starts an API that answers with what it has read: Express, with qs for queries and forms, and Node's parser of multipart. */
export async function startEchoApi(): Promise<string> {
  const { default: express } = (await import("express" as string)) as { default: Express };
  const app = express();
  app.set("query parser", "extended");
  app.use(express.json({ strict: false }), express.urlencoded({ extended: true }));
  app.use(
    express.text({ type: "text/*" }),
    express.raw({ type: ["application/octet-stream", "image/*", "multipart/*"] }),
  );
  const answer = async ({ method, params, query, headers, body }: Request, response: Response): Promise<void> => {
    const isMultipart = headers["content-type"]?.startsWith("multipart/") === true;
    const read = isMultipart ? await readMultipart(body as Buffer, headers) : body;
    response.json({
      method,
      params,
      query,
      headers,
      body: Buffer.isBuffer(read) ? read.toString("base64") : (read ?? null),
    });
  };
  app.all("/v1/echo", answer);
  app.all("/v1/echo/:a", answer);
  app.all("/v1/echo/:a/parts/:b", answer);
  app.use((_request: Request, response: Response) => response.sendStatus(404));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function readMultipart(body: Buffer, headers: IncomingHttpHeaders): Promise<unknown> {
  const form = await new Response(body, { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
  const fields = [...form.entries()].map(async ([name, value]) => {
    if (typeof value === "string") return [name, value];
    const base64 = Buffer.from(await value.arrayBuffer()).toString("base64");
    return [name, { name: value.name, type: value.type, base64 }];
  });
  return Promise.all(fields);
}
