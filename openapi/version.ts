/** The version of this package, which is that of codemode. */
export const VERSION = "0.1.0";
