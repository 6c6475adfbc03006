/** Does tasks one after the other, in the order in which they came. */
export type Turns = <Value>(task: () => Promise<Value>) => Promise<Value>;

/** @param onIdle called whenever the last of them is done */
export function makeTurns(onIdle?: () => void): Turns {
  let last: Promise<unknown> = Promise.resolve();
  const finish = async (turn: Promise<unknown>): Promise<void> => {
    await turn.catch(() => undefined);
    if (last === turn) onIdle?.();
  };
  return (task) => {
    const turn = last.then(task, task);
    last = turn;
    void finish(turn);
    return turn;
  };
}
