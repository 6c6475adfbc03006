/** The TypeScript examples of a README, in their order. */
export function findExamples(readme: string): string[] {
  return [...readme.matchAll(/^(`{3,})ts\n([^]*?)\n\1$/gm)].map(([, , code = ""]) => code);
}
