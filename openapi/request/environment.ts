/** Values of environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;
