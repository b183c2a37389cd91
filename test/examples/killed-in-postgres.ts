/** Loaded before a program: kills its process while it ships, before the transaction is committed. */

import pg from 'pg';

const { query } = pg.Client.prototype;

Object.assign(pg.Client.prototype, {
  async query(this: pg.Client, ...args: Parameters<typeof query>) {
    const result: unknown = await query.apply<pg.Client, typeof args, unknown>(this, args);
    if (String(args[0]).includes('SET shipped')) process.kill(process.pid, 'SIGKILL');
    return result;
  },
});
