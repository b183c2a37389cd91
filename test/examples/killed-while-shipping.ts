/** Loaded before a shop: kills its process while it ships for the first time, before the transaction is committed. */

import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

const { prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.prepare = function prepareFatally(sql) {
  const statement = prepare.call(this, sql);
  if (!sql.includes('SET shipped') || existsSync('killed')) return statement;
  const run = statement.run.bind(statement);
  const runFatally = (...values: readonly SQLInputValue[]) => {
    run(...values);
    writeFileSync('killed', '');
    process.kill(process.pid, 'SIGKILL');
    // The signal ends the process a moment later.
    for (;;);
  };
  Object.defineProperty(statement, 'run', { value: runFatally });
  return statement;
};
