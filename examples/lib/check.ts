/** Ends the script with an error where something is not as it should be, so that whoever runs it gets an exit code of 1. */
export function check(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new Error(`This example does not do what it shows: ${what}`);
}
