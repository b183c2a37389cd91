import type { Customer } from '../../../resources/customers.ts';
import { defaults } from '../../domain/object-defaults.ts';
import type { Random } from '../../store/seeded-random.ts';
import { firstNames, lastNames, mailDomains, places, streets } from './sample-names.ts';
import type { SeedContext } from './seed-context.ts';

function address(random: Random) {
  const { city, state, zip } = random.pick(places);
  const line1 = `${random.integer(1, 999)} ${random.pick(streets)}`;
  return { line1, city, state, postal_code: `${zip}${random.integer(10, 99)}`, country: 'US' };
}

/** Returns an e-mail address. The number makes it unique. */
function email(first: string, last: string, number: number, random: Random): string {
  return `${first}.${last}.${number}@${random.pick(mailDomains)}`.toLowerCase();
}

/** Adds a customer. */
export function addCustomer({ state, random, customers }: SeedContext): Customer {
  const first_name = random.pick(firstNames);
  const last_name = random.pick(lastNames);
  const customer = state.objects.customer.add({
    ...defaults.customer(state),
    first_name,
    last_name,
    email: email(first_name, last_name, customers.length + 1, random),
    // Numbers from 555-0100 to 555-0199 are reserved for fiction.
    phone: `+1 ${random.integer(201, 989)} 555 01${String(random.integer(0, 99)).padStart(2, '0')}`,
    billing_address: address(random),
  });
  customers.push(customer);
  return customer;
}
