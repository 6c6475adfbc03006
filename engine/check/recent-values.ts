/** Values by key, of which the ones that were not asked for the longest are forgotten. */
export interface RecentValues<Value> {
  get(key: string, make: () => Value): Value;
}

export function makeRecentValues<Value>(most: number): RecentValues<Value> {
  const values = new Map<string, Value>();
  return {
    get(key, make) {
      const known = values.get(key);
      const value = known ?? make();
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}
