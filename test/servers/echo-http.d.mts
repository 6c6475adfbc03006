export function startEchoHttp(): Promise<{ url: string; close(): Promise<void> }>;
