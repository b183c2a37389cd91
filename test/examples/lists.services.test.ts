/** Long lists: an export is complete or absent, and an interrupted copy resumes. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Sandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { type Merchant, startMerchant } from './support.ts';

async function idsOf(sandbox: Sandbox): Promise<readonly string[]> {
  return (await clientOf(sandbox).customers.list({ limit: 100 }).toArray({ max: 1000 })).map(({ id }) => id);
}

/** The permanent fault that stops a list at its third page. */
const stopsAtThirdPage = { kind: 'respond', status: 403, operation: 'customers.list', skip: 2 } as const;

describe('export-list', () => {
  it('writes every customer once, and prints its progress', async () => {
    const { sandbox, folder, run } = await startMerchant();
    sandbox.seed({ customers: 250, intents: 0 });
    const { code, stderr } = await run('export-list');
    const file = join(folder, 'customers.ndjson');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(await idsOf(sandbox));
    expect(stderr).toBe('100 customers so far\n200 customers so far\n250 customers, and no more\n');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(code).toBe(0);
  });

  it('writes no file if a page is missing', async () => {
    const { sandbox, folder, run } = await startMerchant();
    sandbox.seed({ customers: 250, intents: 0 });
    sandbox.faults.inject(stopsAtThirdPage);
    const { code, stderr } = await run('export-list');
    expect(code).toBe(1);
    expect(stderr).toContain('PermissionError');
    expect(existsSync(join(folder, 'customers.ndjson'))).toBe(false);
  });
});

describe('resume-list', () => {
  function copied({ folder }: Merchant): readonly string[] {
    const database = new DatabaseSync(join(folder, 'customers.sqlite'), { readOnly: true });
    const rows = database.prepare('SELECT id FROM customers ORDER BY rowid').all();
    database.close();
    return rows.map(({ id }) => String(id));
  }

  it('resumes after the last stored page if it was killed during the next request', async () => {
    const merchant = await startMerchant();
    const { sandbox, launch, run } = merchant;
    sandbox.seed({ customers: 450, intents: 0 });
    const all = await idsOf(sandbox);
    const third = sandbox.faults.inject({ kind: 'hold', operation: 'customers.list', skip: 2 });
    const killed = launch('resume-list');
    await third.reached;
    await killed.stop('SIGKILL');
    expect(copied(merchant)).toEqual(all.slice(0, 200));

    const { code, stdout } = await run('resume-list');
    const more = '100 more\n100 more\n50 more\n';
    expect(stdout).toBe(`on after ${all[199]}\n${more}complete: 450 customers\n`);
    expect(copied(merchant)).toEqual(all);
    expect(code).toBe(0);
  });

  it('begins with new customers after a complete copy', async () => {
    const merchant = await startMerchant();
    const { sandbox, run } = merchant;
    sandbox.seed({ customers: 120, intents: 0 });
    await run('resume-list');
    const { id } = sandbox.add('customer');
    expect((await run('resume-list')).stdout).toMatch(/^from the beginning\n.*complete: 121 customers\n$/s);
    expect(copied(merchant)).toContain(id);
  });
});
