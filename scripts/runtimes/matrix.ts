/** All cases, in the order of the tables in docs/runtimes.md. */

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

/** The kinds in each table. */
export const tables: Readonly<Record<Table, readonly Kind[]>> = {
  runtimes: [...nodes, bun, deno, workerd, chromium],
  frameworks,
  bundlers,
};

export const all: readonly Kind[] = tableNames.flatMap((table) => tables[table]);

/** Returns whether a kind needs no package of the shared project. */
export const standsAlone = (kind: Kind): boolean =>
  frameworks.includes(kind) && Object.keys(kind.packages).length === 0;
