// For `catch`: each names the one error of the file system that is expected there, and throws every other one.

/** Undefined where there is no such file or folder. */
export function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Undefined where there is one already. */
export function unlessExists(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EEXIST") throw error;
}
