// Spread arguments go through their iterator, which is slow where the intrinsics are frozen.
const { apply } = Reflect;

/**
 * Calls a function of the main realm. Everything that it throws, for example on a stack overflow, is an object of that realm and stops
 * here; the script gets an error of its own realm.
 */
export function askBridge<Args extends (string | number | boolean | undefined)[], Result>(
  ask: (...args: Args) => Result,
  ...args: Args
): Result {
  try {
    return apply(ask, undefined, args);
  } catch {
    // Falls through: an error must not be made while one of the other realm is in hand.
  }
  throw new RangeError("The sandbox could not do this now: the call stack or the memory may be exhausted");
}
