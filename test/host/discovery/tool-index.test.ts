import { describe, expect, it } from "vitest";
import { toolIndexOf } from "../../../runtime/host/discovery/tool-index.ts";
import { lockfileOf, type RawTool } from "../../templates/lockfile-of.ts";

const input = (properties: object): object => ({ type: "object", properties });

const servers: Record<string, RawTool[]> = {
  shop: [
    { name: "create_order", description: "Places an order for a customer." },
    { name: "listInvoices", description: "Lists the invoices of a customer." },
    { name: "delete_customer", description: "Removes a customer for good." },
    { name: "export_csv", description: "Exports rows.", inputSchema: input({ delimiter: { type: "string" } }) },
  ],
  browser: [
    { name: "take_screenshot", description: "Takes a picture of the page." },
    { name: "press_key", inputSchema: input({ key: { description: "For instance the arrow keys" } }) },
    {
      name: "emulate",
      description: "Changes what the page sees.",
      inputSchema: input({ device: { properties: { network: { enum: ["offline", "slow"] } } } }),
    },
    { name: "hover", title: "Move the pointer", description: "Goes over an element." },
  ],
  "git-hub": [
    { name: "list_issues", description: "Lists issues of a repository." },
    { name: "create_issue", description: "Makes an issue in a repository." },
    { name: "search", description: "Searches code." },
  ],
  "git-lab": [
    { name: "list_issues", description: "Lists issues of a repository." },
    { name: "create_issue", description: "Makes an issue in a repository." },
  ],
};

function find(query: string, options: { serverId?: string; limit?: number } = {}, lockfile = lockfileOf(servers)) {
  const places = toolIndexOf(lockfile).search(query, { limit: 10, ...options });
  return places.map(({ serverId, toolName }) => `${serverId}/${toolName}`);
}

describe("a search finds a tool first", () => {
  it.each([
    ["by a word of its name", "screenshot", "browser/take_screenshot"],
    ["by a plural", "orders", "shop/create_order"],
    ["by another form of a verb", "exporting", "shop/export_csv"],
    ["by a part of a name in camel case", "invoice", "shop/listInvoices"],
    ["by a name in another case than its own", "takeScreenshot", "browser/take_screenshot"],
    ["by the beginning of a word", "screensh", "browser/take_screenshot"],
    ["with a letter too few", "scrensot", "browser/take_screenshot"],
    ["with two letters exchanged", "delimietr", "shop/export_csv"],
    ["by its title", "pointer", "browser/hover"],
    ["by the name of a parameter", "delimiter", "shop/export_csv"],
    ["by the description of a parameter", "arrow", "browser/press_key"],
    ["by a value that a nested parameter may have", "offline", "browser/emulate"],
    ["by another word for the same", "remove customer", "shop/delete_customer"],
    ["in a whole sentence", "please show me all the invoices we have got", "shop/listInvoices"],
    ["on the server that the query names", "create an issue in git lab", "git-lab/create_issue"],
  ])("%s: %s", (_, query, tool) => {
    expect(find(query)[0]).toBe(tool);
  });

  it("whose name equals the query, before all others", () => {
    const talkative = { name: "index", description: "search search search. It can search, and search again." };
    const lockfile = lockfileOf({ ...servers, aaa: [talkative] });
    expect(find("search", {}, lockfile)[0]).toBe("git-hub/search");
    expect(find("git-lab/list_issues")[0]).toBe("git-lab/list_issues");
  });
});

describe("what is found", () => {
  it("has ties in the order of server and tool, however the lockfile was put together", () => {
    const places = ["git-hub/create_issue", "git-lab/create_issue"];
    expect(find("makes an issue").slice(0, 2)).toEqual(places);
    const reversed = lockfileOf(Object.fromEntries(Object.entries(servers).toReversed()));
    expect(find("makes an issue", {}, reversed)).toEqual(find("makes an issue"));
  });

  it("is of one server where that is asked for, and no more than the limit", () => {
    expect(find("issue", { serverId: "git-lab" })).toEqual(["git-lab/create_issue", "git-lab/list_issues"]);
    expect(find("list_issues", { serverId: "git-lab" })[0]).toBe("git-lab/list_issues");
    expect(find("issue", { limit: 1 })).toHaveLength(1);
    expect(find("issue", { limit: 0 })).toEqual([]);
  });

  it("is nothing where nothing matches", () => {
    expect(find("")).toEqual([]);
    expect(find("of the")).toEqual([]);
    expect(find("quetzalcoatl")).toEqual([]);
    expect(find("issue", {}, { servers: new Map() })).toEqual([]);
  });
});

describe("hostile words", () => {
  it("of an object's own members are words as any other", () => {
    const lockfile = lockfileOf({ odd: [{ name: "constructor" }, { name: "__proto__" }, { name: "hasOwnProperty" }] });
    expect(find("constructor", {}, lockfile)).toEqual(["odd/constructor"]);
    expect(find("toString", {}, lockfile)).toEqual([]);
  });

  it("in any number are read to a bound", () => {
    expect(find(`issue ${"screenshot ".repeat(200_000)}`)).toContain("git-lab/create_issue");
    expect(find("x".repeat(1_000_000))).toEqual([]);
    const words = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(" ");
    expect(find(`${words} screenshot`)).toEqual([]);
  });

  it("in a schema that never ends, or has no end of values, leave the tool to be found", () => {
    let inputSchema: object = { type: "string" };
    for (let depth = 0; depth < 500; depth += 1) inputSchema = input({ inner: inputSchema });
    const wide = input(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, true])));
    const description = `Needle. ${"hay ".repeat(100_000)}`;
    const lockfile = lockfileOf({
      big: [
        { name: "deep", inputSchema },
        { name: "wide", inputSchema: wide, description },
      ],
    });
    expect(find("needle", {}, lockfile)).toEqual(["big/wide"]);
    expect(find("deep", {}, lockfile)).toEqual(["big/deep"]);
  });
});
