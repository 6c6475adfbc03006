/** The name by which the guest asks what tools there are; it is no legal server id. */
export const DISCOVERY = "@codemode/discovery";

/** The name by which the guest reads results of earlier runs. */
export const RESULTS = "@codemode/results";

/** Whether the host itself answers calls under that name: they reach no server and are no tool calls. */
export function isHostSubject(serverId: string): boolean {
  return serverId === DISCOVERY || serverId === RESULTS;
}
