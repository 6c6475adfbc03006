import type { Database } from "./open-database.ts";

/** Any number that other programs do not lock. */
const SETUP_LOCK = 7_262_633_663;

/**
 * An input is `waiting`, `claimed` by a worker, `done` or `failed`. A claim counts while its worker has been `seen` lately, so that a heartbeat is one row and not as
 * many as there are claims. The small indexes hold only what is not finished.
 */
const TABLES = `
  CREATE TABLE codemode_batches (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE,
    name text NOT NULL,
    digest text,
    total int,
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE codemode_workers (
    id uuid PRIMARY KEY,
    batch int NOT NULL REFERENCES codemode_batches ON DELETE CASCADE,
    seen timestamptz NOT NULL
  );
  CREATE TABLE codemode_inputs (
    batch int NOT NULL REFERENCES codemode_batches ON DELETE CASCADE,
    line int NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    worker uuid,
    input text NOT NULL,
    result text,
    PRIMARY KEY (batch, line)
  );
  CREATE INDEX codemode_inputs_waiting ON codemode_inputs (batch, line) WHERE state = 'waiting';
  CREATE INDEX codemode_inputs_claimed ON codemode_inputs (batch, worker) WHERE state = 'claimed';
  CREATE INDEX codemode_inputs_failed ON codemode_inputs (batch) WHERE state = 'failed';
`;

/** Makes the tables where they are missing. An account that may not make tables can use those that another one has made. */
export async function makeTables({ query, withSession }: Database): Promise<void> {
  const areThere = async (ask: Database["query"]): Promise<boolean> => {
    const [row] = await ask<{ found: string | null }>("SELECT to_regclass('codemode_inputs')::text AS found");
    return row?.found != null;
  };
  if (await areThere(query)) return;
  await withSession(async (ask) => {
    await ask("SELECT pg_advisory_lock($1)", [SETUP_LOCK]);
    if (!(await areThere(ask))) await ask(`BEGIN; ${TABLES} COMMIT;`);
  });
}
