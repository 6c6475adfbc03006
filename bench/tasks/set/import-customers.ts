import { read_text_file } from "@codemode/servers/files";
import { execute } from "@codemode/servers/shop";

const counts = await Promise.all(
  ["north", "south", "west"].map(async (region) => {
    const { content } = await read_text_file({ path: `import/${region}.csv` });
    const rows = content.trim().split("\n").slice(1);
    const params = rows.flatMap((row) => row.split(","));
    const values = rows.map(() => "(?, ?, ?)").join(", ");
    const { changes } = await execute({ sql: `INSERT INTO customers (name, city, country) VALUES ${values}`, params });
    return [region, changes];
  }),
);
export default Object.fromEntries(counts);
