import { createServer } from "node:http";

/** What the shop's site sells: 20 products on three pages. */
export const CATALOGUE = Array.from({ length: 20 }, (_, index) => ({
  name: `Gift box ${index + 1}`,
  price: ((index * 7) % 20) * 3 + 12,
}));

const ON_PAGE = 8;
const STATES = ["packed", "on the road", "delivered"];

/**
 * The web site of the shop on loopback: a catalogue in pages, the state of shipments, and a form for orders.
 * @returns its address, and `orders` that were sent by the form, which `reset` empties
 */
export async function startSite() {
  let orders = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method === "POST") orders.push(Object.fromEntries(new URLSearchParams(body)));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(printPage(url, request.method, orders));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    listOrders: () => orders,
    reset: () => void (orders = []),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

function printPage({ pathname, searchParams }, method, orders) {
  if (pathname === "/catalogue") return frame("Catalogue", printCatalogue(Number(searchParams.get("page") ?? 1)));
  if (pathname.startsWith("/shipments/")) {
    const order = Number(pathname.slice("/shipments/".length));
    return frame(`Shipment ${order}`, `<p id="state">${STATES[order % 3]}</p>`);
  }
  if (pathname !== "/order") return frame("Shop", `<a href="/catalogue">Catalogue</a> <a href="/order">Order</a>`);
  if (method === "POST")
    return frame("Thank you", `<p>Your confirmation is <b id="confirmation">SH-${1040 + orders.length}</b></p>`);
  return frame(
    "Order",
    `<form method="post">
      <label>Name <input name="name" id="name"></label>
      <label>City <input name="city" id="city"></label>
      <label>Delivery <select name="delivery" id="delivery"><option>Post</option><option>Courier</option></select></label>
      <button id="send">Send order</button>
    </form>`,
  );
}

function printCatalogue(page) {
  const shown = CATALOGUE.slice((page - 1) * ON_PAGE, page * ON_PAGE);
  const rows = shown.map(({ name, price }) => `<tr class="product"><td>${name}</td><td>${price}</td></tr>`).join("");
  const next = page * ON_PAGE < CATALOGUE.length ? `<a id="next" href="/catalogue?page=${page + 1}">Next page</a>` : "";
  return `<table>${rows}</table>${next}`;
}

function frame(title, body) {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`;
}
