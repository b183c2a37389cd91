import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import { baseFields, type ResourceBase } from '../fields/common.ts';
import { type Id, id } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';

/** The fields of a charge, whatever its state. */
interface ChargeFields extends ResourceBase<'charge'> {
  /** The charge's id, `ch_…` (*shown*). */
  readonly id: Id<'charge'>;
  /** The payment intent's id, `pi_…` (*shown*). */
  readonly intent_id: Id<'payment_intent'>;
  /** The payment method's id, `pm_…` (*shown*). */
  readonly payment_method: Id<'payment_method'>;
  /** The amount, in the service's integer unit (*shown*). */
  readonly amount: number;
  /** The refunded amount, in the same unit (*shown*). */
  readonly amount_refunded: number;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** The authorization code (*shown*). */
  readonly authorization_code: string;
  /** The charge's status (*shown*: `succeeded`; *inferred*: `failed`, for a declined attempt). */
  readonly status: OrUnlisted<'succeeded' | 'failed'>;
  /** The code of the decline; null if the charge was not declined (*shown*). */
  readonly decline_code: string | null;
  /** The kind of decline; null if the charge was not declined (*shown*). */
  readonly decline_type: string | null;
  /** The reason for the failure, in words; null if the charge did not fail (*shown*). */
  readonly failure_message: string | null;
  /** When it was settled, an epoch-style integer; null until then (*shown*; whether in seconds or ms is not shown). */
  readonly settled_at: number | null;
  /** The terminal batch's id, `tmb_…`; null until settled (*shown*). */
  readonly settlement_batch_id: Id<'terminal_batch'> | null;
  /** When it was created, an epoch-style integer (*shown*). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
}

/** Money taken from a buyer. Once `settled_at` is set, so is `settlement_batch_id` (*shown*). */
export type Charge = ChargeFields &
  PresentWhen<ChargeFields, Record<'settled_at', number>, 'settlement_batch_id'>;

/** The fields of a {@link Charge}, as the interface lists them; unknown ones pass. */
export const chargeSchema: s.Schema<Charge> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    s.object({
      ...baseFields('charge'),
      id: id('charge'),
      intent_id: id('payment_intent'),
      payment_method: id('payment_method'),
      amount: s.integer(),
      amount_refunded: s.integer(),
      currency: s.string(),
      authorization_code: s.string(),
      status: openEnum<Charge['status']>(),
      decline_code: s.nullable(s.string()),
      decline_type: s.nullable(s.string()),
      failure_message: s.nullable(s.string()),
      settled_at: s.nullable(s.integer()),
      settlement_batch_id: s.nullable(id('terminal_batch')),
      created_at: s.integer(),
      updated_at: s.integer(),
    }),
    { settled_at: undefined },
    ['settlement_batch_id'],
  ),
);

const charges: CollectionDefinition<Charge> = {
  name: 'charges',
  object: 'charge',
  plurals: ['charges'],
  idKind: 'charge',
  schema: chargeSchema,
};

/** `payments.charges`: money taken from buyers. */
export class Charges extends StatefulCollection<Charge, 'charge'> {
  /** @internal */
  constructor(api: Api) {
    super(api, charges);
  }
}
