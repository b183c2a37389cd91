import type { CollectConfig } from '../../../resources/checkout-sessions.ts';
import type { Field } from '../card-form/form-field.ts';
import { texts } from '../texts.ts';
import { allCountries } from './countries.ts';

/** Fields under one heading. */
export interface Questions {
  /** The heading. */
  readonly title: string;
  readonly fields: readonly Field[];
}

/** Whether the session collects a value. Unknown values count as optional. */
type Wish = 'required' | 'optional' | 'hidden';

function wishOf(value: string, isNeeded: boolean): Wish {
  if (isNeeded || value === 'required') return 'required';
  return value === 'hidden' ? 'hidden' : 'optional';
}

function optionalField(wish: Wish, field: Field): readonly Field[] {
  return wish === 'hidden' ? [] : [{ ...field, isOptional: wish === 'optional' || field.isOptional }];
}

function contact(config: CollectConfig): readonly Field[] {
  const { name, email, phone, missing, wrongEmail, wrongPhone } = texts;
  return [
    ...optionalField(wishOf(config.name, false), {
      name: 'name',
      label: name,
      autocomplete: 'name',
      capitals: 'words',
      flaws: { missing: missing(name) },
    }),
    ...optionalField(wishOf(config.email, false), {
      name: 'email',
      label: email,
      autocomplete: 'email',
      type: 'email',
      flaws: { missing: missing(email), wrong: wrongEmail },
    }),
    ...optionalField(wishOf(config.phone, config.require_phone), {
      name: 'phone',
      label: phone,
      autocomplete: 'tel',
      type: 'tel',
      flaws: { missing: missing(phone), wrong: wrongPhone },
    }),
  ];
}

function address(group: 'billing' | 'shipping', isWhole: boolean): readonly Field[] {
  const part = (name: string, label: string, autocomplete: string): Field => ({
    name: `${group}_${name}`,
    label,
    autocomplete: `${group} ${autocomplete}`,
    capitals: 'words',
    flaws: { missing: texts.missing(label) },
  });
  const country: Field = {
    ...part('country', texts.country, 'country'),
    choices: [['', texts.chooseCountry], ...allCountries()],
  };
  const postalCode: Field = {
    ...part('postal_code', texts.postalCode, 'postal-code'),
    capitals: 'characters',
  };
  if (!isWhole) return [country, postalCode];
  return [
    country,
    part('line1', texts.line1, 'address-line1'),
    { ...part('line2', texts.line2, 'address-line2'), isOptional: true },
    postalCode,
    part('city', texts.city, 'address-level2'),
    part('state', texts.state, 'address-level1'),
  ];
}

/** Returns the fields that a session collects from the buyer, besides the card. */
export function questionsOf(config: CollectConfig): readonly Questions[] {
  const isWhole = config.require_full_billing_address;
  const billing = wishOf(config.address, isWhole);
  const shipping = config.require_shipping_address ? 'required' : 'hidden';
  const groups = [
    { title: texts.contact, fields: contact(config) },
    {
      title: texts.billingAddress,
      fields: address('billing', isWhole).flatMap((one) => optionalField(billing, one)),
    },
    {
      title: texts.shippingAddress,
      fields: address('shipping', true).flatMap((one) => optionalField(shipping, one)),
    },
  ];
  return groups.filter(({ fields }) => fields.length > 0);
}
