/** A ticket of the example. */
export interface Ticket {
  id: number;
  customer: string;
  title: string;
  waitingDays: number;
  body: string;
}

/** A customer of the example. */
export interface Customer {
  id: string;
  name: string;
  plan: string;
  owner: string;
  notes: string;
}

export const PAGE_SIZE = 100;
const TICKETS = 3 * PAGE_SIZE;
const CUSTOMERS = 40;

const FIRST = ["North", "Blue", "Granite", "Harbour", "Maple", "Orion", "Quartz", "River", "Silver", "Union"];
const SECOND = ["Foods", "Logistics", "Energy", "Bank"];
const PLANS = ["free", "team", "business", "enterprise"];
const OWNERS = ["ada", "grace", "linus", "margaret"];
const PARTS = ["invoice export", "single sign-on", "mobile app", "weekly report", "search", "import of contacts"];
const TROUBLES = ["stops with an error", "shows old data", "is slow since Monday", "misses the last page"];

const pick = <Item>(list: readonly Item[], at: number): Item => list[at % list.length] as Item;

/** Always the same, so that a trial can be repeated. */
export function listTickets(): Ticket[] {
  return Array.from({ length: TICKETS }, (_, at) => {
    const what = `${pick(PARTS, at * 7)} ${pick(TROUBLES, at * 3 + 1)}`;
    return {
      id: 1000 + at,
      customer: `c${(at * 11) % CUSTOMERS}`,
      title: `The ${what}`,
      // Most are young: few wait for more than two weeks.
      waitingDays: (at * at * 7 + at) % 17,
      body: `Since the last update the ${what}. We have tried it in two browsers and with a new account, and it is the same for all of us. Please tell us when it will work again; until then we do this by hand every morning.`,
    };
  });
}

/** The customer of an id, or undefined. */
export function findCustomer(id: string): Customer | undefined {
  const at = Number(/^c(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  if (!(at < CUSTOMERS)) return undefined;
  return {
    id,
    name: `${pick(FIRST, at)} ${pick(SECOND, Math.floor(at / FIRST.length))}`,
    plan: pick(PLANS, at * 3 + 1),
    owner: pick(OWNERS, at * 5 + Math.floor(at / 4)),
    notes:
      "Renews in spring. Prefers to be called in the morning. The contract is in the shared folder of the account.",
  };
}
