import { test, type TestOptions } from "vitest";

type Run = () => unknown;
type Declare = (name: string, ...rest: [Run] | [Run, number] | [TestOptions, Run]) => void;

/** A test of what only Linux has. The reason is in its name, so that a run elsewhere shows why it was skipped. */
export function testOnLinux(reason: string): Declare {
  return declare(process.platform === "linux", `needs Linux: ${reason}`);
}

/** A test of what Windows does not have. */
export function testOnPosix(reason: string): Declare {
  return declare(process.platform !== "win32", `needs POSIX: ${reason}`);
}

function declare(isHere: boolean, reason: string): Declare {
  // oxlint-disable-next-line vitest/expect-expect
  return (name, ...rest) => test.runIf(isHere)(`${name} [${reason}]`, ...(rest as [Run]));
}
