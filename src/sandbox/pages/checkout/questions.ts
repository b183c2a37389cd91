import type { CollectConfig } from '../../../resources/checkout-sessions.ts';
import type { Field } from '../card-form/form-field.ts';

/** Questions under one heading. */
export interface Questions {
  /** The heading. */
  readonly title: string;
  readonly fields: readonly Field[];
}

/** Whether something is asked for, and needed. Values other than the two that occur ask without need. */
type Wish = 'required' | 'optional' | 'hidden';

function wishOf(value: string, isNeeded: boolean): Wish {
  if (isNeeded || value === 'required') return 'required';
  return value === 'hidden' ? 'hidden' : 'optional';
}

function asked(wish: Wish, field: Field): readonly Field[] {
  return wish === 'hidden' ? [] : [{ ...field, isOptional: wish === 'optional' || field.isOptional }];
}

function address(group: 'billing' | 'shipping', isWhole: boolean): readonly Field[] {
  const part = (name: string, label: string, autocomplete: string): Field => ({
    name: `${group}_${name}`,
    label,
    autocomplete: `${group} ${autocomplete}`,
  });
  const country = part('country', 'Country', 'country-name');
  const postalCode = part('postal_code', 'Postal code', 'postal-code');
  if (!isWhole) return [country, postalCode];
  return [
    part('line1', 'Street and number', 'address-line1'),
    { ...part('line2', 'Flat, floor, company', 'address-line2'), isOptional: true },
    part('city', 'City', 'address-level2'),
    part('state', 'State or region', 'address-level1'),
    postalCode,
    country,
  ];
}

/** What the page of a session asks the buyer for, besides the card. */
export function questionsOf(config: CollectConfig): readonly Questions[] {
  const billing = wishOf(config.address, config.require_full_billing_address);
  const shipping = config.require_shipping_address ? 'required' : 'hidden';
  const groups = [
    {
      title: 'Contact',
      fields: [
        ...asked(wishOf(config.name, false), { name: 'name', label: 'Name', autocomplete: 'name' }),
        ...asked(wishOf(config.email, false), {
          name: 'email',
          label: 'E-mail',
          autocomplete: 'email',
          type: 'email',
        }),
        ...asked(wishOf(config.phone, config.require_phone), {
          name: 'phone',
          label: 'Phone',
          autocomplete: 'tel',
          type: 'tel',
        }),
      ],
    },
    {
      title: 'Billing address',
      fields: address('billing', config.require_full_billing_address).flatMap((one) => asked(billing, one)),
    },
    {
      title: 'Shipping address',
      fields: address('shipping', true).flatMap((one) => asked(shipping, one)),
    },
  ] as const;
  return groups.filter(({ fields }) => fields.length > 0);
}
