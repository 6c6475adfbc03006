const LOOK_EVERY_MS = 400;

/** Looks into a store again and again, but only while something is open that it may hold an answer to. */
export interface Looking {
  look(): Promise<void>;
  isOpen(): boolean;
  onFailure(error: unknown): void;
}

/** Returns what begins to look; it changes nothing while that goes on. */
export function makeLooking({ look, isOpen, onFailure }: Looking): () => void {
  let timer: NodeJS.Timeout | undefined;
  const keepLooking = (): void => {
    timer ??= setTimeout(() => {
      void look()
        .catch(onFailure)
        .finally(() => {
          timer = undefined;
          if (isOpen()) keepLooking();
        });
    }, LOOK_EVERY_MS).unref();
  };
  return keepLooking;
}
