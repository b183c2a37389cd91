/** Iterates over every list of the sandbox while it grows. */

import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, it } from 'vitest';
import { everyCollection } from '../support/every-collection.ts';
import { clientOf } from '../support/sandbox.ts';
import { bySize } from '../support/size.ts';

describe.each(everyCollection)('the list of $name', ({ object, of }) => {
  it('returns all objects in order, without duplicates or gaps, while others are created', async () => {
    const count = bySize({ short: 60, all: 1000 });
    const sandbox = createSandbox();
    const created = Array.from({ length: count }, () => sandbox.add(object).id);
    const payments = clientOf(sandbox, { fetch: sandbox.fetch });
    const items: string[] = [];
    for await (const { id } of of(payments).list({ limit: count / 5 })) {
      items.push(id);
      if (items.length % 5 === 0) sandbox.add(object);
    }
    expect(items).toEqual(created.reverse());
    expect(sandbox.requests).toHaveLength(5);
  });
});

describe.each(everyCollection.filter(({ name }) => name === 'apiKeys' || name === 'webhookEndpoints'))(
  'the list of $name',
  ({ object, of }) => {
    it('is complete in one last page without a limit, and in several pages with one', async () => {
      const sandbox = createSandbox();
      const created = Array.from({ length: 150 }, () => sandbox.add(object).id).reverse();
      const payments = clientOf(sandbox, { fetch: sandbox.fetch });
      const page = await of(payments).list();
      expect(page.items.map(({ id }) => id)).toEqual(created);
      expect(page).toMatchObject({ hasMore: false, nextCursor: undefined });
      expect(sandbox.requests).toHaveLength(1);
      const items = await of(payments).list({ limit: 40 }).toArray({ max: 1_000 });
      expect(items.map(({ id }) => id)).toEqual(created);
      expect(sandbox.requests).toHaveLength(5);
    });
  },
);
