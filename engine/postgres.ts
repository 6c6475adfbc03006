// What the store of replicas asks for of PostgreSQL; shared batches open it alike.
export { openPool } from "./host/postgres/open-pool.ts";
