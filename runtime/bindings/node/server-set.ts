import type { PerformTool } from "../registered-callers.ts";
import type { Configuration } from "./configuration.ts";
import { Server } from "./server.ts";

/** The servers of one configuration; each is started on its first call and shared by all. */
export class ServerSet {
  readonly #servers: ReadonlyMap<string, Server>;

  constructor({ servers, drift }: Configuration) {
    this.#servers = new Map([...servers].map(([id, settings]) => [id, new Server(settings, drift)]));
  }

  has(serverId: string): boolean {
    return this.#servers.has(serverId);
  }

  ids(): Iterable<string> {
    return this.#servers.keys();
  }

  /** Only for servers that the set has. */
  readonly call: PerformTool = (tool, inputJson) => (this.#servers.get(tool.serverId) as Server).call(tool, inputJson);

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }
}
