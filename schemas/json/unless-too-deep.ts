/** Walks a value of a stranger's making; where it is nested so deeply that the stack ends, that is the file's fault. */
export function unlessTooDeep<Value>(walk: () => Value, fail: (problem: string) => Error): Value {
  try {
    return walk();
  } catch (error) {
    throw error instanceof RangeError ? fail("it is nested too deeply") : error;
  }
}
