import initSqlJs from "sql.js";

const SCHEMA = `
  CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, email TEXT NOT NULL);
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER NOT NULL, supplier_id INTEGER NOT NULL,
    price REAL NOT NULL, stock INTEGER NOT NULL, reorder_level INTEGER NOT NULL, discontinued INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, country TEXT NOT NULL);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, ordered TEXT NOT NULL, shipped TEXT, freight REAL NOT NULL,
    confirmation TEXT);
  CREATE TABLE order_lines (order_id INTEGER NOT NULL, product_id INTEGER NOT NULL, quantity INTEGER NOT NULL, price REAL NOT NULL);`;

const CATEGORIES = ["Tea", "Coffee", "Bread", "Cheese", "Honey", "Fruit"];
const COUNTRIES = ["Austria", "Belgium", "Canada", "Denmark", "Finland"];
const CITIES = ["Graz", "Ghent", "Halifax", "Odense", "Turku"];
const KINDS = ["Morning", "Garden", "Harbour", "Winter", "Valley", "Old Town", "Market"];
const OWNERS = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper"];
const TRADES = ["& Sons", "Deli", "Kitchen"];

/** A shop like Northwind with rows of our own, the same in each run, as the bytes of a SQLite database. */
export async function makeShop() {
  const { Database } = await initSqlJs();
  const db = new Database();
  db.run(SCHEMA);
  const insert = (table, rows) => {
    for (const row of rows) db.run(`INSERT INTO ${table} VALUES (${row.map(() => "?").join(", ")})`, row);
  };
  insert(
    "categories",
    CATEGORIES.map((name, index) => [index + 1, name]),
  );
  insert("suppliers", listSuppliers());
  insert("products", listProducts());
  insert("customers", listCustomers());
  const { orders, lines } = listOrders();
  insert("orders", orders);
  insert("order_lines", lines);
  const bytes = db.export();
  db.close();
  return bytes;
}

function listSuppliers() {
  return Array.from({ length: 8 }, (_, index) => {
    const name = `${OWNERS[index]} Trading`;
    return [index + 1, name, COUNTRIES[index % 5], `sales@${OWNERS[index].toLowerCase()}.example`];
  });
}

/** 40 products; every fifth is below its reorder level. */
function listProducts() {
  const next = makeNumbers(7);
  return Array.from({ length: 40 }, (_, index) => {
    const category = index % 6;
    const level = 10 + next(4) * 5;
    const stock = index % 5 === 2 ? next(level) : level + next(60);
    const price = (200 + next(2300)) / 100;
    const name = `${KINDS[index % 7]} ${CATEGORIES[category]}`;
    return [index + 1, name, category + 1, 1 + (index % 8), price, index % 13 === 12 ? 0 : stock, level, 0];
  });
}

/** 24 customers. The last four are there twice, in another spelling. */
function listCustomers() {
  const names = Array.from({ length: 20 }, (_, index) => `${OWNERS[index % 10]} ${TRADES[index % 3]}`);
  const customers = names.map((name, index) => [index + 1, name, CITIES[index % 5], COUNTRIES[index % 5]]);
  const again = [2, 5, 11, 16].map((id, index) => {
    const [, name, city, country] = customers[id - 1];
    return [21 + index, ` ${name.toUpperCase()} `, city, country];
  });
  return [...customers, ...again];
}

function listOrders() {
  const next = makeNumbers(42);
  const orders = Array.from({ length: 120 }, (_, index) => {
    const month = 1 + Math.floor(index / 10);
    const ordered = `2025-${String(month).padStart(2, "0")}-${String(1 + next(28)).padStart(2, "0")}`;
    const customer = index < 112 ? 1 + next(20) : 21 + (index % 4);
    return [index + 1, customer, ordered, index % 9 === 8 ? null : ordered, (100 + next(4000)) / 100, null];
  });
  const products = listProducts();
  const lines = orders.flatMap(([order]) =>
    Array.from({ length: 1 + (order % 3) }, (_, index) => {
      const [product, , , , price] = products[(next(40) + index) % 40];
      return [order, product, 1 + next(12), price];
    }),
  );
  return { orders, lines };
}

/** Whole numbers below a limit, the same ones for the same seed. */
function makeNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return (state >>> 8) % limit;
  };
}
