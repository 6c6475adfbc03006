export const oddTools: readonly unknown[];
export const unusableEntries: readonly unknown[];
export const audiences: readonly { name: string; _meta?: object; isForModels: boolean }[];
