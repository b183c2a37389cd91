/** What a merchant writes without a package: verify, parse, and write the event's id together with its effect. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { PoolClient } from 'pg';
import { inTransaction } from '../../support/pg-transaction.ts';
import { insertEffect, openPool, type ReceiverJob } from '../receiving.ts';
import { webhookSecret } from '../records.ts';

interface Event {
  readonly id: string;
}

function isFromService(header: string, body: Buffer): boolean {
  const [, time = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac('sha256', webhookSecret).update(`${time}.`).update(body).digest();
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  return isRecent && timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function listener(handle: (event: Event) => unknown): RequestListener {
  return async (request, response) => {
    try {
      const body = await bodyOf(request);
      if (!isFromService(String(request.headers['stripe-signature']), body)) {
        response.writeHead(400).end();
        return;
      }
      await handle(JSON.parse(body.toString()));
      response.writeHead(200).end();
    } catch {
      response.writeHead(500).end();
    }
  };
}

export const memory: ReceiverJob = () => {
  const seen = new Set<string>();
  return listener(({ id }) => seen.add(id));
};

async function insertOnce(client: PoolClient, { id }: Event): Promise<void> {
  const inserted = await client.query('INSERT INTO events (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  if (inserted.rowCount === 1) await insertEffect(client, id);
}

export const postgres: ReceiverJob = async (database) => {
  const pool = await openPool(database);
  await pool.query('CREATE TABLE IF NOT EXISTS events (id text PRIMARY KEY)');
  return listener((event) => inTransaction(pool, (client) => insertOnce(client, event)));
};
