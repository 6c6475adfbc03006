/** How many may wait at the most, and how many of one client. */
export interface MostWaiting {
  all: number;
  ofClient: number;
}

/** Makes the places of what waits for people: gives a client one, as what leaves it, or undefined where none is left. Clients without a name are one. */
export function makePlaces() {
  const waiting: (string | undefined)[] = [];
  return (client: string | undefined, { all, ofClient }: MostWaiting): (() => void) | undefined => {
    if (waiting.length >= all || waiting.filter((other) => other === client).length >= ofClient) return undefined;
    waiting.push(client);
    return () => void waiting.splice(waiting.indexOf(client), 1);
  };
}
