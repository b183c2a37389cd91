/** The methods, classes and types in docs/from-stripe.md exist in stripe-node and in this package. */

import { readFileSync } from 'node:fs';
import * as sdk from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { createTestClient } from 'payments-client-sandbox/testing';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';

const guide = readFileSync(new URL('../../docs/from-stripe.md', import.meta.url), 'utf8');
const cells = guide
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
const stripeMembers = cells.map(([, cell = '']) => cell).join('\n');
const ownMembers = cells.map(([, , cell = '']) => cell).join('\n');

/** Returns the members in a column's code, such as `refunds.create`, without the name of their object. */
function membersOf(root: string, column: string): string[] {
  const code = [...column.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text).join('\n');
  return [
    ...new Set([...code.matchAll(new RegExp(`\\b${root}\\.([\\w.]+)`, 'g'))].map(([, path = '']) => path)),
  ];
}

function at(value: object, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), value);
}

const { payments } = createTestClient();
const stripe = new Stripe('sk_test_1');
const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });

describe.each([
  ['stripe', stripeMembers, stripe],
  ['payments', ownMembers, payments],
  ['webhooks', ownMembers, webhooks],
] as const)('%s', (root, column, value) => {
  const members = membersOf(root, column);

  it('is in the guide', () => {
    expect(members.length).toBeGreaterThan(2);
  });

  it.each(members)('has %s', (path) => {
    expect(at(value, path)).toBeDefined();
  });
});

it('stripe-node has each type', () => {
  const types = readFileSync(new URL('stripe.core.d.ts', import.meta.resolve('stripe')), 'utf8');
  const names = membersOf('Stripe', stripeMembers).map((path) => path.split('.')[0]);
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(types))).toEqual([]);
});

const namesOf = (column: string) => [
  ...new Set([...column.matchAll(/`(\w+Error)`/g)].map(([, name = '']) => name)),
];

it.each(namesOf(stripeMembers))('stripe-node has the class %s', (name) => {
  expect(at(Stripe.errors, name)).toBeTypeOf('function');
});

it.each(namesOf(ownMembers))('this package has the class %s', (name) => {
  expect(at(sdk, name)).toBeTypeOf('function');
});
