import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";

const TYPES: { [ending: string]: string } = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Serves the files of a folder on loopback, as any static server would. */
export async function serveFolder(folder: string): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const path = decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    readFile(join(folder, path)).then(
      (text) => response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/plain").end(text),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { server, address: `http://127.0.0.1:${port}` };
}
