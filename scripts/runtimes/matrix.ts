/** All that is run, in the order of the tables of docs/runtimes.md. */

import { bun } from './bun.ts';
import { bundlers } from './bundlers.ts';
import { chromium } from './chromium.ts';
import { deno } from './deno.ts';
import { frameworks } from './frameworks.ts';
import type { Kind } from './kind.ts';
import { nodes } from './node.ts';
import { workerd } from './workerd.ts';

export const tableNames = ['runtimes', 'frameworks', 'bundlers'] as const;

/** A table of docs/runtimes.md. */
export type Table = (typeof tableNames)[number];

/** What the tables are made of. */
export const tables: Readonly<Record<Table, readonly Kind[]>> = {
  runtimes: [...nodes, bun, deno, workerd, chromium],
  frameworks,
  bundlers,
};

export const all: readonly Kind[] = tableNames.flatMap((table) => tables[table]);

/** Whether a kind needs nothing of the shared project. */
export const standsAlone = (kind: Kind): boolean =>
  frameworks.includes(kind) && Object.keys(kind.packages).length === 0;
