// Makes two tables, fills them, and reports what is in them.
import { create_table, describe_table, list_tables, read_query, write_query } from "@codemode/servers/sqlite";

await create_table({ query: "create table customers (id integer primary key, name text not null, city text)" });
await create_table({
  query: "create table orders (id integer primary key, customer integer references customers, item text, price real)",
});
await write_query({ query: "insert into customers (name, city) values ('Ada', 'London'), ('Bob', null)" });
await write_query({
  query: "insert into orders (customer, item, price) values (1, 'pen', 2.5), (1, 'book', 10), (2, 'ink', 4)",
});

const tables = JSON.parse(await list_tables());
const columns: Record<string, string[]> = {};
for (const { name } of tables) {
  const described = JSON.parse(await describe_table({ table_name: name }));
  columns[name] = described.filter((column) => column.pk === 0).map((column) => `${column.name} ${column.type}`);
}

const customers = JSON.parse(await read_query({ query: "select * from customers order by name" }));
const perCustomer: Record<string, unknown> = {};
for (const customer of customers) {
  const [sum] = JSON.parse(
    await read_query({
      query: `select count(*) as orders, sum(price) as total from orders where customer = ${customer.id}`,
    }),
  );
  perCustomer[String(customer.id)] = { orders: sum?.orders, total: sum?.total };
}
const dearest = JSON.parse(await read_query({ query: "select item, price from orders order by price desc limit 1" }));

export default { columns, perCustomer, dearest: dearest.map((row) => row.item) };
