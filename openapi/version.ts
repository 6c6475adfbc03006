/** The version of this package, the same as codemode's. */
export const VERSION = "0.1.0";
