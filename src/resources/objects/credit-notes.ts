import type { DefiniteField } from '../../base/schema/definite.ts';
import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { ApiPromise } from '../../http/api-promise.ts';
import type { WithOperationId, WriteOptions } from '../../http/client/options.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import {
  amountParam,
  baseFields,
  type Metadata,
  metadata,
  metadataParam,
  quantityParam,
  type ResourceBase,
} from '../fields/common.ts';
import { type Id, type IdInput, id, idParam } from '../fields/ids.ts';
import { type PresentWhen, presentWhen } from '../fields/present-when.ts';
import { exactTotal } from '../fields/totals.ts';

/** One line of a credit note. */
export interface CreditNoteLine extends ResourceBase<'credit_note_line_item'> {
  /** The line's id, `cnl_…` (*shown*). */
  readonly id: Id<'credit_note_line'>;
  /** The kind of line (*shown*; only `custom_line_item` occurs). */
  readonly type: OrUnlisted<'custom_line_item'>;
  /** The invoice line's id, `il_…`; null if the line refers to no invoice line (*shown*). */
  readonly invoice_line_item: Id<'invoice_line'> | null;
  /** The description (*shown*). */
  readonly description: string;
  /** How many, or null (*shown*). */
  readonly quantity: number | null;
  /** The unit amount, in the service's integer unit, or null (*shown*). */
  readonly unit_amount: number | null;
  /** The line's amount, in the same unit (*shown*). */
  readonly amount: number;
  /** The line's tax, in the same unit (*shown*). */
  readonly tax: number;
}

/** The fields of a credit note, whatever its state. */
interface CreditNoteFields extends ResourceBase<'credit_note'> {
  /** The credit note's id, `cn_…` (*shown*). */
  readonly id: Id<'credit_note'>;
  /** The number (*shown*). */
  readonly number: string;
  /** The invoice's id, `inv_…` (*shown*). */
  readonly invoice: Id<'invoice'>;
  /** The customer's id, `cus_…` (*shown*). */
  readonly customer: Id<'customer'>;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** The credit note's status (*shown*). */
  readonly status: OrUnlisted<'issued' | 'void'>;
  /** Why it was issued (*shown*; only `product_unsatisfactory` occurs). */
  readonly reason: OrUnlisted<'product_unsatisfactory'>;
  /** The kind of credit note (*shown*; only `post_payment` occurs). */
  readonly type: OrUnlisted<'post_payment'>;
  /** The subtotal, in the service's integer unit (*shown*). */
  readonly subtotal: number;
  /** The tax, in the same unit (*shown*). */
  readonly tax: number;
  /** The total, in the same unit (*shown*). */
  readonly total: number;
  /** The refunded amount, in the same unit (*shown*). */
  readonly amount_refunded: number;
  /** The out-of-band amount, in the same unit (*shown*). */
  readonly out_of_band_amount: number;
  /** The refund, a string in a form that is not shown; null if there is none (*shown*). */
  readonly refund: string | null;
  /** The memo; null if there is none (*shown*). */
  readonly memo: string | null;
  /** The lines (*shown*). */
  readonly lines: readonly CreditNoteLine[];
  /** The metadata: strings by their keys (*shown*). */
  readonly metadata: Metadata;
  /** When it was created, an integer (*shown*). The SDK assumes an epoch-style integer (*inferred*). */
  readonly created: number;
  /** When it takes effect, an integer (*shown*). The SDK assumes an epoch-style integer (*inferred*). */
  readonly effective_at: number;
  /** When it was voided, an integer; null if it was not voided (*shown*). */
  readonly voided_at: number | null;
}

/**
 * A reduction of an invoice. Its timestamps have other names than those of other resources. When it is void, `voided_at` is
 * not null (*shown*).
 */
export type CreditNote = CreditNoteFields &
  PresentWhen<CreditNoteFields, Record<'status', 'void'>, 'voided_at'>;

const lineSchema = (): s.Schema<CreditNoteLine> =>
  s.object({
    ...baseFields('credit_note_line_item'),
    id: id('credit_note_line'),
    type: openEnum<CreditNoteLine['type']>(),
    invoice_line_item: s.nullable(id('invoice_line')),
    description: s.string(),
    quantity: s.nullable(s.integer()),
    unit_amount: s.nullable(s.integer()),
    amount: s.integer(),
    tax: s.integer(),
  });

/** The fields of a {@link CreditNote}, as the interface lists them; unknown ones pass. */
export const creditNoteSchema: s.Schema<CreditNote> = /* @__PURE__ */ s.lazily(() =>
  presentWhen(
    s.object({
      ...baseFields('credit_note'),
      id: id('credit_note'),
      number: s.string(),
      invoice: id('invoice'),
      customer: id('customer'),
      currency: s.string(),
      status: openEnum<CreditNote['status']>(),
      reason: openEnum<CreditNote['reason']>(),
      type: openEnum<CreditNote['type']>(),
      subtotal: s.integer(),
      tax: s.integer(),
      total: s.integer(),
      amount_refunded: s.integer(),
      out_of_band_amount: s.integer(),
      refund: s.nullable(s.string()),
      memo: s.nullable(s.string()),
      lines: s.array(lineSchema()),
      metadata: metadata(),
      created: s.integer(),
      effective_at: s.integer(),
      voided_at: s.nullable(s.integer()),
    }),
    { status: 'void' },
    ['voided_at'],
  ),
);

/** One line of a credit note to issue. */
interface CreditNoteLineParams {
  /** The kind of line (*inferred*). Default: the service chooses. */
  type?: OrUnlisted<'custom_line_item'> | undefined;
  /** An invoice line's id (*inferred*). */
  invoice_line_item?: IdInput<'invoice_line'> | undefined;
  /** What it is for (*inferred*). */
  description?: string | undefined;
  /** How many, an integer from 1 (*inferred*). `undefined` is refused, as for `amount`. */
  quantity?: number;
  /** The price of one item, an integer from 0 in minor units (*inferred*). `undefined` is refused, as for `amount`. */
  unit_amount?: number;
  /**
   * The line's sum, an integer from 0 in minor units (*inferred*). Default: the service chooses. `undefined` is refused, and does not
   * compile: if a variable may be undefined, write `...(amount === undefined ? {} : { amount })`.
   */
  amount?: number;
}

/** A line with a number where it has one that may be undefined. */
type DefiniteLine<Line> = Line extends unknown
  ? Line &
      DefiniteField<Line, 'quantity', number> &
      DefiniteField<Line, 'unit_amount', number> &
      DefiniteField<Line, 'amount', number>
  : never;

/** The lines of the given parameters; requires nothing of those that have no number that may be undefined. */
type DefiniteLines<Given> = [Given] extends [never]
  ? Given
  : Given extends { readonly lines: readonly (infer Line)[] }
    ? [Line] extends [DefiniteLine<Line>]
      ? unknown
      : { readonly lines: readonly DefiniteLine<Line>[] }
    : unknown;

/**
 * Parameters that issue a credit note. The interface shows none of these fields; the SDK assumes the names of the credit
 * note's own fields.
 */
export interface CreditNoteCreateParams {
  /** The invoice's id (*inferred*). */
  invoice: IdInput<'invoice'>;
  /**
   * The lines that are credited (*inferred*), together at most 9,007,199,254,740,991 minor units, which a number holds exactly. Default: the
   * service chooses.
   */
  lines?: readonly CreditNoteLineParams[] | undefined;
  /** Why (*inferred*). */
  reason?: OrUnlisted<'product_unsatisfactory'> | undefined;
  /** A note for the customer (*inferred*). */
  memo?: string | undefined;
  /** Your own data (*inferred*). */
  metadata?: Record<string, string> | undefined;
}

/** What a line comes to at most: whether its `amount` or its price counts is not shown. */
function largestAmount({ amount = 0, unit_amount = 0, quantity = 1 }: CreditNoteLineParams): number {
  return Math.max(amount, unit_amount * quantity);
}

const lineParamsSchema = (): s.Schema<CreditNoteLineParams> =>
  s.object({
    type: s.optional(openEnum<CreditNoteLine['type']>(s.filled())),
    invoice_line_item: s.optional(s.filled()),
    description: s.optional(s.string()),
    quantity: s.exactOptional(quantityParam()),
    unit_amount: s.exactOptional(amountParam(0)),
    amount: s.exactOptional(amountParam(0)),
  });

/** The parameters that issue a credit note. */
export const creditNoteCreateSchema: s.Schema<CreditNoteCreateParams> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    invoice: idParam('invoice'),
    lines: s.optional(s.array(lineParamsSchema()).check(exactTotal(largestAmount))),
    reason: s.optional(openEnum<CreditNote['reason']>(s.filled())),
    memo: s.optional(s.string()),
    metadata: metadataParam(),
  }),
);

const creditNotes: CollectionDefinition<CreditNote> = {
  name: 'creditNotes',
  object: 'credit_note',
  plurals: ['credit_notes', 'creditNotes'],
  idKind: 'credit_note',
  schema: creditNoteSchema,
};

/** `payments.creditNotes`: reductions of invoices. */
export class CreditNotes extends StatefulCollection<CreditNote, 'credit_note'> {
  /** @internal */
  constructor(api: Api) {
    super(api, creditNotes);
  }

  /** Issues a credit note (*inferred* path and parameters). Emits `credit_note.created`. */
  create<Given>(
    params: CreditNoteCreateParams & DefiniteLines<Given>,
    withOperationId: WithOperationId,
  ): ApiPromise<CreditNote> {
    const body = { params, schema: creditNoteCreateSchema };
    return this.send('create', { body, options: withOperationId, returns: creditNotes });
  }

  /** Voids an issued credit note (*inferred* path). Emits `credit_note.voided`. */
  void(id: IdInput<'credit_note'>, options?: WriteOptions): ApiPromise<CreditNote> {
    return this.send('void', { id, options, returns: creditNotes });
  }
}
