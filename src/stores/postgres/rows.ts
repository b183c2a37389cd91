/** What the rows say that PostgreSQL returns. */

import { bucketEnd } from '../records/velocity-window.ts';
import type { ClaimResult, OpenClaim, OpenPage, VelocityTotal } from '../store.ts';
import type { PostgresClient } from './client.ts';

export type Rows = Awaited<ReturnType<PostgresClient['query']>>['rows'];

export function claimedOf(token: string, row: Rows[number]): ClaimResult {
  const { attempt, server } = row;
  const named = typeof server === 'string' ? { server } : {};
  return { status: 'claimed', token, attempt: Number(attempt), data: dataOf(row), ...named };
}

export function dataOf({ data }: Rows[number]): string | undefined {
  return typeof data === 'string' ? data : undefined;
}

export function pageOf(rows: Rows): OpenPage {
  const found = rows.filter(({ key }) => typeof key === 'string');
  // A database without a count says null, and some clients give digits.
  const count = rows[0]?.['count'] ?? undefined;
  return { claims: found.map(openClaimOf), count: count === undefined ? undefined : Number(count) };
}

function openClaimOf(row: Rows[number]): OpenClaim {
  return {
    key: String(row['key']),
    data: String(row['data']),
    attempt: Number(row['attempt']),
    leased: Number(row['leased']),
    since: Number(row['since']),
    age: Number(row['age']),
  };
}

export function totalOf(row: Rows[number] = {}, windowMs: number): VelocityTotal {
  return {
    total: BigInt(String(row['total'])),
    exceeded: row['exceeded'] === true,
    freeAt: bucketEnd(Number(row['oldest']), windowMs),
    token: String(row['token']),
  };
}
