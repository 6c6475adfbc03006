import { ConnectionError } from "./connection-error.ts";
import type { Link } from "./establish-link.ts";

/**
 * The link of a connection, which may be replaced by a new one: a server that has forgotten its session (HTTP 404) has not
 * looked at the request, so it can be asked again without doing anything twice.
 */
export class RenewableLink {
  readonly #establish: () => Promise<Link>;
  #current: Link;
  #renewal: Promise<Link> | undefined;
  #renewals = 0;
  #closed = false;
  /** How many requests are under way over each link; one that was replaced is closed after its last. */
  readonly #users = new Map<Link, number>();

  constructor(first: Link, establish: () => Promise<Link>) {
    this.#current = first;
    this.#establish = establish;
  }

  get current(): Link {
    return this.#current;
  }

  /** How often the link was replaced. */
  get renewals(): number {
    return this.#renewals;
  }

  /** Does something over the link that was replaced so often and no other. Throws `lost()` where there is a new one. */
  useOnly<Result>(
    renewals: number,
    action: (link: Link) => Promise<Result>,
    lost: () => ConnectionError,
  ): Promise<Result> {
    if (renewals !== this.#renewals) return Promise.reject(lost());
    return this.#useLink(this.#current, action);
  }

  /** Does something over the link, and once more over a new one when the session was lost. */
  use<Result>(action: (link: Link) => Promise<Result>): Promise<Result> {
    return this.#useLink(this.#current, action, true);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#renewal?.catch(() => undefined);
    await Promise.all([...new Set([this.#current, ...this.#users.keys()])].map((link) => link.transport.close()));
  }

  #isLost(error: unknown): boolean {
    return error instanceof ConnectionError && error.kind === "session-lost" && !this.#closed;
  }

  /** @param repeats when the session was lost: the same is done over a new link, and otherwise the error is thrown, when there is one */
  #useLink<Result>(link: Link, action: (link: Link) => Promise<Result>, repeats = false): Promise<Result> {
    this.#users.set(link, (this.#users.get(link) ?? 0) + 1);
    return action(link).then(
      (result) => {
        const closing = this.#leave(link);
        return closing === undefined ? result : closing.then(() => result);
      },
      async (error: unknown) => {
        await this.#leave(link);
        const renewed = this.#isLost(error) ? await this.#renew(link) : undefined;
        if (renewed === undefined || !repeats) throw error;
        return this.#useLink(renewed, action);
      },
    );
  }

  /** The last to leave a link that was replaced closes it. */
  #leave(link: Link): Promise<void> | undefined {
    const users = (this.#users.get(link) as number) - 1;
    if (users > 0) this.#users.set(link, users);
    else this.#users.delete(link);
    return users > 0 || link === this.#current ? undefined : link.transport.close();
  }

  /** However many requests notice the loss, there is one new session. */
  #renew(lost: Link): Promise<Link> {
    if (this.#current !== lost) return Promise.resolve(this.#current);
    this.#renewal ??= this.#replace().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #replace(): Promise<Link> {
    const lost = this.#current;
    const link = await this.#establish();
    this.#current = link;
    this.#renewals += 1;
    if (!this.#users.has(lost)) await lost.transport.close();
    return link;
  }
}
