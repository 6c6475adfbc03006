/** Waits for a promise no longer than the given time; tells whether it was fulfilled by then. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const inTime = promise.then(() => true);
  return Promise.race([inTime, tooLate]).finally(() => clearTimeout(timer));
}
