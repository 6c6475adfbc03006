/** How we introduce ourselves to servers: as codemode does, which locked the tools. A test compares the version with `package.json`. */
export const CLIENT_INFO = { name: "codemode", version: "0.1.0" };
