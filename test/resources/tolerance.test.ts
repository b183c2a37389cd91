/** Accepts every form that the interface leaves open, in every collection. */

import { ApiError, type PaymentsClient, unknownField } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { everyCollection } from '../support/every-collection.ts';
import { failureOf } from '../support/failure.ts';
import { createClient, json, text, useMockService } from '../support/mock-service.ts';
import { changed, type Fields, objectNames, placesOf, validObject } from '../support/sample-objects.ts';
import { everyNth } from '../support/size.ts';

const service = useMockService();

function sampleOf(object: string, id: string): Fields {
  const name = objectNames.find((one) => one === object);
  return name === undefined ? { id, object, livemode: false } : { ...validObject(name), id };
}

const errorBodies: readonly (readonly [shape: string, response: Response])[] = [
  ['nested', json({ error: { code: 'c_1', message: 'Say so' } }, { status: 400 })],
  ['flat', json({ code: 'c_1', message: 'Say so' }, { status: 400 })],
  ['OAuth', json({ error: 'c_1', error_description: 'Say so' }, { status: 400 })],
  ['listed', json({ errors: [{ code: 'c_1', detail: 'Say so' }] }, { status: 400 })],
  ['a bare list', json([{ code: 'c_1', message: 'Say so' }], { status: 400 })],
  ['problem+json', json({ type: 'about:blank', title: 'Say so', code: 'c_1' }, { status: 400 })],
  ['by field', json({ errors: { amount: ['Say so'] } }, { status: 400 })],
  ['text', text('Say so', { status: 400 })],
  ['HTML', text('<!doctype html><title>Say so</title>', { status: 400 })],
];

describe.each(everyCollection)('$name', ({ name, object, plural, id, of }) => {
  const turn = everyCollection.findIndex((collection) => collection.name === name);

  it.each(everyNth(['data', 'items', plural, name, 'anything_else'], 2, turn))(
    'finds its items in %s',
    async (field) => {
      const items = [sampleOf(object, id), sampleOf(object, `${id}2`)];
      service.answers(json({ [field]: items, has_more: false }));
      expect(await of(createClient()).list().toArray({ max: 5 })).toEqual(items);
    },
  );

  it.each(everyNth(errorBodies, 4, turn))('reads an error body that is %s', async (_shape, response) => {
    service.answers(response);
    const error = await failureOf(of(createClient()).retrieve(id), ApiError);
    expect(error).toMatchObject({ status: 400, outcome: 'not_executed' });
    expect(error.message).toContain('Say so');
  });

  it('keeps an unknown field, alone and in a page', async () => {
    const later = { ...sampleOf(object, id), later: { deep: [null, 'new'] } };
    service.answers(json(later), json({ data: [later], has_more: false }));
    expect(await of(createClient()).retrieve(id)).toEqual(later);
    const [first] = await of(createClient()).list().toArray({ max: 1 });
    expect(unknownField(Object(first), 'later')).toEqual({ deep: [null, 'new'] });
  });

  it('reads its object from an envelope', async () => {
    const sample = sampleOf(object, id);
    service.answers(json({ data: sample }), json({ [object]: sample }));
    expect(await of(createClient()).retrieve(id)).toEqual(sample);
    expect(await of(createClient()).retrieve(id)).toEqual(sample);
  });
});

describe.each(objectNames)('a %s', (name) => {
  const collection = everyCollection.find(({ object }) => object === name);
  if (collection === undefined) throw new Error(`${name} has no collection`);
  const retrieve = (payments: PaymentsClient) => collection.of(payments).retrieve(collection.id);

  it('may have an unlisted value in every enumerated field', async () => {
    for (const { path } of placesOf(name).filter(({ row }) => row.known !== undefined)) {
      const body = changed(name, path, 'a_later_value');
      service.answers(json(body));
      expect(await retrieve(createClient())).toEqual(body);
    }
  });

  it('may have null in every nullable field, one by one and all together', async () => {
    const nullable = placesOf(name).filter(({ row, path }) => row.nullable && path.length === 1);
    const all = Object.fromEntries(nullable.map(({ row }) => [row.field, null]));
    const bodies = [
      ...nullable.map(({ path }) => changed(name, path, null)),
      { ...validObject(name), ...all },
    ];
    for (const body of bodies) {
      service.answers(json(body));
      expect(await retrieve(createClient())).toEqual(body);
    }
  });
});
