/** Accepts every form that the interface leaves open, in every collection. */

import { type PaymentsClient, unknownField } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { everyCollection } from '../support/every-collection.ts';
import { createClient, json, useMockService } from '../support/mock-service.ts';
import { changed, type Fields, objectNames, placesOf, validObject } from '../support/sample-objects.ts';
import { everyNth } from '../support/size.ts';

const service = useMockService();

function sampleOf(object: string, id: string): Fields {
  const name = objectNames.find((one) => one === object);
  return name === undefined ? { id, object, livemode: false } : { ...validObject(name), id };
}

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
