import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { ServerConfig } from "../../../schemas/config/config.ts";
import type { TelemetryAttributes } from "./attributes.ts";

export type EndpointOf = (serverId: string) => TelemetryAttributes;

/** How each server is reached, as attributes. An address with placeholders in its host is left out. */
export function makeEndpoints(servers: readonly ServerConfig[]): EndpointOf {
  let endpoints: Map<string, TelemetryAttributes> | undefined;
  return (serverId) => {
    endpoints ??= new Map(servers.map((server) => [server.id, toEndpoint(server)]));
    return endpoints.get(serverId) ?? {};
  };
}

const PORTS: { readonly [protocol: string]: number } = { "http:": 80, "https:": 443 };

function toEndpoint({ source }: ServerConfig): TelemetryAttributes {
  if (source.transport === "stdio") return { "network.transport": "pipe" };
  const http: TelemetryAttributes = { "network.transport": "tcp", "network.protocol.name": "http" };
  if (!URL.canParse(source.url)) return http;
  const { hostname, port, protocol } = new URL(source.url);
  const number = port === "" ? PORTS[protocol] : Number(port);
  return { ...http, "server.address": hostname, ...withoutUndefined({ "server.port": number }) };
}
