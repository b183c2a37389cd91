/** What needs modules of Node. `#on-node` of package.json names it, and `without-node.ts` on runtimes that have none. */

export { startServer } from './api/server/listen.node.ts';
export { readOrCreateKeys } from './key-file.node.ts';
export { openSqliteFile } from './store/sqlite-file.node.ts';
