import * as s from '../../base/schema/schema.ts';
import { type OrUnlisted, openEnum } from '../../base/schema/schema.ts';
import type { Api } from '../../http/execute.ts';
import { type CollectionDefinition, StatefulCollection } from '../collection.ts';
import { baseFields, type ResourceBase } from '../fields/common.ts';
import { type Id, id } from '../fields/ids.ts';

/** The transactions of card readers that are settled together. */
export interface TerminalBatch extends ResourceBase<'terminal_batch'> {
  /** The batch's id, `tmb_…` (*shown*). */
  readonly id: Id<'terminal_batch'>;
  /** The batch's status (*shown*: `closed`; *inferred*: `open`). */
  readonly status: OrUnlisted<'open' | 'closed'>;
  /** The progress of matching its transactions (*shown*). */
  readonly reconciliation_status: OrUnlisted<'pending' | 'reconciled' | 'incomplete' | 'needs_attention'>;
  /** The currency, a 3-letter code in upper case (*shown*). */
  readonly currency: string;
  /** The ids of its terminals, `tmr_…` (*shown*). */
  readonly terminal_ids: readonly Id<'terminal'>[];
  /** The settlement profile's id, `stlp_…` (*shown*). */
  readonly settlement_profile_id: Id<'settlement_profile'>;
  /** The merchant's id, `mer_…` (*shown*). */
  readonly merchant_id: Id<'merchant'>;
  /** The totals of the batch, each in the service's integer unit (*shown*; what each counts is not). */
  readonly totals: {
    /** The fees (*shown*). */
    readonly fees: number;
    /** The net amount (*shown*). */
    readonly net: number;
    /** The refunds (*shown*). */
    readonly refunds: number;
    /** The sales (*shown*). */
    readonly sales: number;
    /** The tax (*shown*). */
    readonly tax: number;
    /** The tips (*shown*). */
    readonly tips: number;
    /** The voids (*shown*). */
    readonly voids: number;
  };
  /** How many transactions it has (*shown*). */
  readonly transaction_count: number;
  /** How many of its items are matched (*shown*). */
  readonly matched_item_count: number;
  /** How many of its items are not matched (*shown*). */
  readonly unmatched_item_count: number;
  /** When it was opened, an epoch-style integer (*shown*; whether in seconds or ms is not shown). */
  readonly opened_at: number;
  /** When it was closed, an epoch-style integer (*shown*). */
  readonly closed_at: number;
  /** When it was created, an epoch-style integer (*shown*). */
  readonly created_at: number;
  /** When it last changed, an epoch-style integer (*shown*). */
  readonly updated_at: number;
  /** When it was reconciled, an epoch-style integer; null until then (*shown*). */
  readonly reconciled_at: number | null;
  /** The time of its data, an epoch-style integer (*shown*). */
  readonly data_as_of: number;
  /** The time after which its data is stale, an epoch-style integer (*shown*). */
  readonly stale_after: number;
  /** Whether its data is stale (*shown*). */
  readonly is_stale: boolean;
}

const totalsSchema = (): s.Schema<TerminalBatch['totals']> =>
  s.object({
    fees: s.integer(),
    net: s.integer(),
    refunds: s.integer(),
    sales: s.integer(),
    tax: s.integer(),
    tips: s.integer(),
    voids: s.integer(),
  });

/** The fields of a {@link TerminalBatch}, as the interface lists them; unknown ones pass. */
export const terminalBatchSchema: s.Schema<TerminalBatch> = /* @__PURE__ */ s.lazily(() =>
  s.object({
    ...baseFields('terminal_batch'),
    id: id('terminal_batch'),
    status: openEnum<TerminalBatch['status']>(),
    reconciliation_status: openEnum<TerminalBatch['reconciliation_status']>(),
    currency: s.string(),
    terminal_ids: s.array(id('terminal')),
    settlement_profile_id: id('settlement_profile'),
    merchant_id: id('merchant'),
    totals: totalsSchema(),
    transaction_count: s.integer(),
    matched_item_count: s.integer(),
    unmatched_item_count: s.integer(),
    opened_at: s.integer(),
    closed_at: s.integer(),
    created_at: s.integer(),
    updated_at: s.integer(),
    reconciled_at: s.nullable(s.integer()),
    data_as_of: s.integer(),
    stale_after: s.integer(),
    is_stale: s.boolean(),
  }),
);

const terminalBatches: CollectionDefinition<TerminalBatch> = {
  name: 'terminalBatches',
  object: 'terminal_batch',
  plurals: ['terminal_batches', 'terminalBatches'],
  idKind: 'terminal_batch',
  schema: terminalBatchSchema,
};

/** `payments.terminalBatches`: transactions of card readers that are settled together. */
export class TerminalBatches extends StatefulCollection<TerminalBatch, 'terminal_batch'> {
  /** @internal */
  constructor(api: Api) {
    super(api, terminalBatches);
  }
}
