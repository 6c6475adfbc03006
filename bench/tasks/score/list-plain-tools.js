/** The definitions of all tools, as a client lists them that has the servers themselves. */
export function listPlainTools(lockfile) {
  return [...lockfile.servers].flatMap(([serverId, { tools }]) =>
    tools.map(({ name, description, inputSchema }) => ({ name: `${serverId}/${name}`, description, inputSchema })),
  );
}
