/** Accepts every form that the interface leaves open, in every collection. */

import { unknownField } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { everyCollection } from '../support/every-collection.ts';
import { changed, type Fields, objectNames, placesOf, validObject } from '../support/sample-objects.ts';
import { useScriptedService } from '../support/scripted-service.ts';

const service = useScriptedService();
const json = (body: unknown) => Response.json(body);

function sampleOf(object: string, id: string): Fields {
  const name = objectNames.find((one) => one === object);
  return name === undefined ? { id, object, livemode: false } : { ...validObject(name), id };
}

describe.each(everyCollection)('$name', ({ name, object, plural, id, of }) => {
  const objects = of(service.createClient());
  const sample = sampleOf(object, id);
  const later = { ...sample, later: { deep: [null, 'new'] } };

  it.each(['data', 'items', plural, name, 'anything_else'])('finds its items in %s', async (field) => {
    const items = [later, sampleOf(object, `${id}2`)];
    service.answers(json({ [field]: items, has_more: false }));
    expect(await objects.list().toArray({ max: 5 })).toEqual(items);
  });

  it('keeps an unknown field, alone and in an envelope', async () => {
    service.answers(json(later), json({ data: later }), json({ [object]: later }));
    for (let time = 0; time < 3; time += 1) expect(await objects.retrieve(id)).toEqual(later);
    expect(unknownField(await objects.retrieve(id), 'later')).toEqual({ deep: [null, 'new'] });
  });
});

describe.each(objectNames)('a %s', (name) => {
  const collection = everyCollection.find(({ object }) => object === name);
  if (collection === undefined) throw new Error(`${name} has no collection`);
  const { id, of } = collection;
  const places = placesOf(name);

  /** Expects each body to be returned as it came. */
  async function expectKept(bodies: readonly Fields[]): Promise<void> {
    service.answers(...bodies.map(json));
    const objects = of(service.createClient());
    for (const body of bodies) expect(await objects.retrieve(id)).toEqual(body);
  }

  it('may have an unlisted value in every enumerated field', () =>
    expectKept(
      places
        .filter(({ row }) => row.known !== undefined)
        .map(({ path }) => changed(name, path, 'a_later_value')),
    ));

  it('may have null in every nullable field at once', () => {
    const nullable = places.filter(({ row, path }) => row.nullable && path.length === 1);
    const nulls = Object.fromEntries(nullable.map(({ row }) => [row.field, null]));
    return expectKept([{ ...validObject(name), ...nulls }]);
  });
});
