/** Reaches inside: compares the SQL of the example with the counts too, which `fraudFigures` does not return. */

import { readFileSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { type FraudCounts, type FraudRecord, fraudFigures } from 'payments-client/fraud';
import { beforeAll, expect, it } from 'vitest';
import { countFraud } from '../../../../src/fraud/monitoring/counts.ts';
import { emptyPglite } from '../../../support/pglite.ts';
import { bySize } from '../../../support/size.ts';
import { anyRecord } from '../../records.ts';

const sql = readFileSync(new URL('../../../../examples/fraud-figures.sql', import.meta.url), 'utf8');
const [table = '', query = ''] = sql.split(/^(?=WITH )/m);

let db: PGlite;
beforeAll(async () => {
  db = await emptyPglite();
  await db.exec(table);
});

type Row = { readonly counts: FraudCounts } & Readonly<Record<string, unknown>>;

async function insert(records: readonly FraudRecord[], age = '0 days'): Promise<void> {
  await db.query(
    `INSERT INTO card_payments
     SELECT gen_random_uuid()::text, now() - $2::interval, approved, avsresponse, cvvresponse, risk_score, authenticated,
       chargeback_reason, is_fraud
     FROM json_populate_recordset(NULL::card_payments, $1::json)`,
    [JSON.stringify(records), age],
  );
}

async function figuresOf(records: readonly FraudRecord[]): Promise<Row> {
  await db.exec('TRUNCATE card_payments');
  await insert(records);
  await insert([{ approved: true, risk_score: 100 }], '31 days');
  const [row] = (await db.query<Row>(query)).rows;
  if (row === undefined) throw new Error('The query returned no row.');
  return row;
}

async function expectSame(records: readonly FraudRecord[]): Promise<void> {
  const { counts, ...values } = await figuresOf(records);
  const figures = fraudFigures(records);
  expect(counts).toEqual(countFraud(records));
  expect(fraudFigures(counts)).toEqual(figures);
  expect(values).toEqual(Object.fromEntries(figures.map(({ metric, value }) => [metric, value ?? null])));
}

it('gives the same counts and figures as the functions, for the last 30 days', async () => {
  await expectSame([]);
  await fc.assert(fc.asyncProperty(fc.array(anyRecord, { maxLength: 60 }), expectSame), {
    numRuns: bySize({ short: 60, all: 200, long: 2000 }),
  });
});
