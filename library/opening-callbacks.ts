import { AsyncResource } from "node:async_hooks";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { ShowWork } from "../schemas/progress.ts";
import { callBack } from "../schemas/run/call-back.ts";
import type { EngineOptions } from "./engine-options.ts";

/** What is said while an engine opens is said in the async context of who opens it, and later in none: that request is over then. */
export function untilOpened({ onNote, showProgress }: EngineOptions) {
  let opener: AsyncResource | undefined = new AsyncResource("codemode.open");
  const within = <Given extends unknown[], Value>(callback: (...given: Given) => Value) => {
    return (...given: Given): Value =>
      opener === undefined ? callback(...given) : opener.runInAsyncScope(callback, undefined, ...given);
  };
  // There is no way to report a failed `onNote`.
  const note = onNote && within(onNote);
  return {
    callbacks: withoutUndefined({
      onNote: note && ((line: string) => void callBack("onNote", () => note(line), undefined, undefined)),
      showProgress: showProgress && within(holdProgress(showProgress)),
    }),
    release: (): void => void (opener = undefined),
  };
}

/** What shows progress fails for itself alone. */
function holdProgress(show: ShowWork): ShowWork {
  const hold = <Value>(call: () => Value) => callBack("showProgress", call, undefined, undefined);
  return (label) => {
    const work = hold(() => show(label)) as ReturnType<ShowWork> | undefined;
    return { update: (progress) => void hold(() => work?.update(progress)), end: () => void hold(() => work?.end()) };
  };
}
