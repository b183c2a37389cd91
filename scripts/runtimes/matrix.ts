/** All cases, in the order of test/frameworks/results.json. */

import { bun } from './bun.ts';
import { bundlers } from './bundlers.ts';
import { chromium } from './chromium.ts';
import { deno } from './deno.ts';
import { frameworks } from './frameworks.ts';
import { nodes } from './node.ts';
import type { Platform } from './platform.ts';
import { workerd } from './workerd.ts';

export const tableNames = ['runtimes', 'frameworks', 'bundlers'] as const;

/** A list of results. */
export type Table = (typeof tableNames)[number];

export const tables: Readonly<Record<Table, readonly Platform[]>> = {
  runtimes: [...nodes, bun, deno, workerd, chromium],
  frameworks,
  bundlers,
};

export const all: readonly Platform[] = tableNames.flatMap((table) => tables[table]);

/** Returns whether a platform needs no package of the shared project. */
export const isStandalone = (platform: Platform): boolean =>
  frameworks.includes(platform) && Object.keys(platform.packages).length === 0;
