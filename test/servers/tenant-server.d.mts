/** A server over HTTP whose answers depend on the token of its caller. */
export function startTenantServer(): Promise<{ url: string; seen: string[]; close(): Promise<void> }>;
