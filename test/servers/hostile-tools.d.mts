export const oddTools: readonly unknown[];
export const unusableEntries: readonly unknown[];
