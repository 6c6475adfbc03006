export function linkIsolate(): Promise<string>;
export function linkWorker(input: string, built: ReadonlyMap<string, string>): Promise<string>;
