// The storage of the authorization server, in the shape that oidc-provider asks for: one instance per kind of record.

/** Makes a class whose instances share one memory, which ends with the server. */
export function makeMemoryAdapter() {
  const records = new Map();
  return class MemoryAdapter {
    constructor(kind) {
      this.kind = kind;
    }
    key(id) {
      return `${this.kind}:${id}`;
    }
    async upsert(id, payload) {
      records.set(this.key(id), payload);
    }
    async find(id) {
      return records.get(this.key(id));
    }
    async findByUid(uid) {
      return [...records.values()].find((payload) => payload.kind === this.kind && payload.uid === uid);
    }
    async findByUserCode() {
      return undefined;
    }
    async consume(id) {
      records.get(this.key(id)).consumed = Math.floor(Date.now() / 1_000);
    }
    async destroy(id) {
      records.delete(this.key(id));
    }
    async revokeByGrantId(grantId) {
      for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
    }
  };
}
