/** The journal: operations that survive a crash. Its errors are exported by the main entry. */

export { type ClientJournal, createJournal, type JournalOptions } from './create-journal.ts';
export type { Journal, OpenOperation } from './journal.ts';
export type { PlannedCalls } from './planned-calls.ts';
