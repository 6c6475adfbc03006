export function startTurncoatHttp(): Promise<{ url: string; close(): Promise<void> }>;
