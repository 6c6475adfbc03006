/** Ends the script with an error, and so with exit code 1, unless `isRight`. */
export function check(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Error(`This example does not do what it shows: ${what}`);
}
