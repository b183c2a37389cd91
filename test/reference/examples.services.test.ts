/** Validates the examples of `openapi.json`, and its request schemas, with a JSON Schema validator. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { writeOpenApi } from '../../scripts/reference/openapi.ts';

type Json = Readonly<Record<string, unknown>>;

const document = JSON.parse(await writeOpenApi());

// The document is not a schema itself, and its schemas have OpenAPI keywords.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
ajv.addSchema(document, 'openapi.json');

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const pointerTo = (...names: readonly string[]) =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Returns the errors of a value under the schema at a JSON pointer. */
function problemsOf(value: unknown, place: string): string {
  const validate = ajv.getSchema(`openapi.json#${place}`);
  if (validate === undefined) throw new Error(`There is no schema at ${place}.`);
  return validate(value) === true ? '' : ajv.errorsText(validate.errors);
}

/** Returns the examples within a schema, including those of components and union branches. */
function examplesWithin(schema: unknown): readonly unknown[] {
  if (!isJson(schema)) return [];
  const { $ref, oneOf, examples } = schema;
  const named =
    typeof $ref === 'string' ? document.components.schemas[$ref.split('/').at(-1) ?? ''] : undefined;
  const branches = Array.isArray(oneOf) ? oneOf.flatMap(examplesWithin) : [];
  return [...(Array.isArray(examples) ? examples : []), ...branches, ...examplesWithin(named)];
}

/** Returns the examples of a media type or a parameter, or of its schema. */
function examplesOf({ schema, example, examples }: Json): readonly unknown[] {
  if (example !== undefined) return [example];
  if (isJson(examples)) return Object.values(examples).map((one) => isJson(one) && one['value']);
  return examplesWithin(schema);
}

/** Returns every part of the document that has a schema and examples. */
function exampleSitesIn(
  value: unknown,
  place = '',
): readonly (readonly [place: string, examples: readonly unknown[]])[] {
  if (!isJson(value)) return [];
  const own = 'schema' in value ? ([[place, examplesOf(value)]] as const) : [];
  const within = Object.entries(value).flatMap(([name, inner]) =>
    // Within an example, fields may have these names.
    name === 'example' || name === 'examples' ? [] : exampleSitesIn(inner, place + pointerTo(name)),
  );
  return [...own, ...within];
}

const places = exampleSitesIn(document);
const operations = Object.entries<Record<string, Json>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    operation,
    place: pointerTo('paths', path, method),
  })),
);

describe('examples', () => {
  it('match their schemas', () => {
    const wrong = places.flatMap(([place, examples]) =>
      examples
        .flatMap((example) => problemsOf(example, `${place}/schema`) || [])
        .map((problem) => `${place}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });

  it('match the union member that contains them', () => {
    const members = Object.entries<Json>(document.components.schemas).flatMap(([name, { oneOf }]) =>
      Array.isArray(oneOf)
        ? oneOf.map((member: Json, index) => ({
            member,
            place: `/components/schemas/${name}/oneOf/${index}`,
          }))
        : [],
    );
    const wrong = members.flatMap(({ member, place }) =>
      examplesWithin({ examples: member['examples'] }).map((example) => problemsOf(example, place)),
    );
    expect(wrong).toEqual(['', '']);
  });

  it('exist for every request and every successful response', () => {
    const bare = places.flatMap(([place, examples]) => (examples.length === 0 ? place : []));
    const needed = operations.flatMap(({ place }) => [`${place}/requestBody`, `${place}/responses/200`]);
    const script = pointerTo(
      'paths',
      '/js/Gateway.js',
      'get',
      'responses',
      '200',
      'content',
      'text/javascript',
    );
    expect(bare.filter((place) => needed.some((start) => place.startsWith(start)))).toEqual([script]);
    expect(operations.length).toBeGreaterThan(75);
    const [, forms] =
      places.find(([place]) => place.endsWith('urlencoded') && place.includes('requestBody')) ?? [];
    expect(forms).toHaveLength(3);
  });

  it('exist for every event', () => {
    const ofEvents = places.filter(([place]) => place.startsWith('/webhooks/'));
    expect(ofEvents).toHaveLength(Object.keys(document.webhooks).length);
    expect(ofEvents.filter(([, examples]) => examples.length === 0)).toEqual([]);
  });

  it('exist for every refusal with a status', () => {
    for (const [name, response] of Object.entries<Json>(document.components.responses)) {
      const [place = ['', []]] = exampleSitesIn(response);
      if (name !== 'refusal') expect(place[1], name).not.toEqual([]);
    }
  });
});

describe('the refund request', () => {
  const schema = `${pointerTo('paths', '/v1/refunds', 'post', 'requestBody', 'content', 'application/json')}/schema`;

  it.each([
    [{ payment_intent_id: 'pi_1' }, true],
    [{ charge_id: 'ch_1', amount: 5 }, true],
    [{ charge_id: 'ch_1', payment_intent_id: 'pi_1' }, false],
    [{ amount: 5 }, false],
    [{ charge_id: 'ch_1', amount: 0 }, false],
  ])('with %j is %s', (body, fits) => {
    expect(problemsOf(body, schema) === '').toBe(fits);
  });
});

describe('the form request', () => {
  const content = ['requestBody', 'content', 'application/x-www-form-urlencoded'];
  const schema = `${pointerTo('paths', '/api/transact.php', 'post', ...content)}/schema`;
  const sale = { type: 'sale', amount: '12.00', security_key: 'k' };
  const card = { ccnumber: '4111111111111111', ccexp: '1230' };

  it.each([
    [{ ...sale, payment_token: 't' }, true],
    [{ ...sale, ...card }, true],
    [{ ...sale, ...card, cvv: '123', zip: '90210' }, true],
    [{ type: 'refund', transactionid: '1', amount: '5.00', security_key: 'k' }, true],
    [sale, false],
    [{ ...sale, ...card, payment_token: 't' }, false],
    [{ ...sale, payment_token: 't', cvv: '123' }, true],
    [{ ...sale, ccnumber: '4111111111111111' }, false],
    [{ ...sale, payment_token: 't', amount: 12 }, false],
  ])('with %j is %s', (body, fits) => {
    expect(problemsOf(body, schema) === '').toBe(fits);
  });
});
