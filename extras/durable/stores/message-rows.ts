import type { Database } from "../../../engine/open-database.ts";
import { type DurableStore, type LeftMessage, MOST_MESSAGES, type RunMessage } from "../kept-runs.ts";
import { parseMessage } from "../run-message.ts";

interface MessageTable {
  query: Database["query"];
  project: string;
  /** The condition on a row of `codemode_runs` that it is of the project, which is the first parameter. */
  isOurs: string;
  sealing: {
    seal(place: string, text: string): Buffer;
    tryOpen(place: string, bytes: Buffer): string | undefined;
  };
}

/** The messages of runs. A run that is removed takes its own with it. */
export function makeMessageRows({ query, project, isOurs, sealing }: MessageTable) {
  const discard = async (messages: readonly Pick<LeftMessage, "name">[]): Promise<void> => {
    const sql = "delete from codemode_run_messages where number = any ($1::bigint[])";
    if (messages.length > 0) await query(sql, [messages.map(({ name }) => name)]);
  };
  return {
    async leave(id: string, message: RunMessage) {
      const text = sealing.seal(`message/${id}`, JSON.stringify(message));
      const sql = `insert into codemode_run_messages (run, message) select id, $3 from codemode_runs where id = $2 and ${isOurs}
and (select count(*) from codemode_run_messages where run = $2) < $4 returning 1`;
      return (await query(sql, [project, id, text, MOST_MESSAGES])).length > 0;
    },
    async messages(ids: readonly string[]) {
      const sql = `select number, m.run, message from codemode_run_messages m join codemode_runs on id = m.run
where m.run = any ($2::text[]) and ${isOurs} order by number`;
      const rows = await query<{ number: string; run: string; message: Buffer }>(sql, [project, ids]);
      const read = rows.map(({ number, run, message }) => ({
        ...{ run, name: number },
        message: parseMessage(sealing.tryOpen(`message/${run}`, message)),
      }));
      // What cannot be read is of another key, or of a program that wants to be in the way.
      await discard(read.filter(({ message }) => message === undefined));
      return read.flatMap(({ message, ...left }) => (message === undefined ? [] : [{ ...left, message }]));
    },
    discard,
  } satisfies Partial<DurableStore>;
}
