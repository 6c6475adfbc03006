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
  /** The link whose session the server may have lost: what fails now may have been done, so only the next request begins a new one. */
  #doubtful: Link | undefined;
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
    // The next comparison is with what the new session offers.
    if (this.#doubtful === this.#current) return this.#renew(this.#current).then(() => Promise.reject(lost()));
    return this.#useLink(this.#current, action);
  }

  /** Does something over the link, and once more over a new one when the session was lost. */
  use<Result>(action: (link: Link) => Promise<Result>): Promise<Result> {
    if (this.#doubtful === this.#current) return this.#renew(this.#current).then((link) => this.#useLink(link, action));
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
        if (link === this.#current && mayHaveLostSession(error, link)) this.#doubtful = link;
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

/** Kinds of failures behind which a server may have begun a new session. */
const DOUBTFUL: ReadonlySet<string> = new Set(["interrupted", "protocol", "unauthorized"]);

/** What servers say of a session that they do not have, in an error of JSON-RPC. */
const LOST_SESSION =
  /\bsession\b.{0,40}\b(?:not found|unknown|invalid|expired|lost|terminated|closed|does not exist)|\b(?:no|unknown|invalid|expired|missing)\b.{0,20}\bsession\b/i;

/** Of the transport and the protocol: a tool that has sessions of its own says so under other codes. */
const SESSION_CODES: ReadonlySet<number> = new Set([-32600, -32000, -32001]);

/** Whether a failure under a session may mean that the server has lost it, other than by the sign that the specification has for it. */
function mayHaveLostSession(error: unknown, { transport }: Link): boolean {
  if (transport.hasSession !== true || !(error instanceof ConnectionError)) return false;
  if (DOUBTFUL.has(error.kind)) return true;
  if (error.kind === "http-error") return (error.status ?? 0) >= 500;
  const isOfProtocol = error.kind === "rpc-error" && SESSION_CODES.has(error.code ?? 0);
  return isOfProtocol && LOST_SESSION.test(error.message.slice(0, 500));
}
