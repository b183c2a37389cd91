import { optionIssues } from '../../base/check-options.ts';
import { refuse } from '../../base/refuse.ts';
import * as s from '../../base/schema.ts';
import { day } from '../../base/time.ts';
import { postDispute } from '../../domain/ledger.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { chargebackSchema, unknownNames } from '../../sdk.ts';
import type { AnyFields, ScenarioRun } from './scenario-run.ts';

/** The deadline to answer a chargeback. The interface does not show it. */
const timeToAnswer = 20 * day;

const advice = 'Correct the fields of the chargeback.';

/** Checks the field names of a chargeback, which no schema of the sandbox does. */
function checkChargeback(fields: AnyFields): void {
  const issues = unknownNames('chargeback', fields, s.fieldNames(chargebackSchema));
  if (issues.length > 0) refuse(issues, advice);
}

/** Returns the named transaction, else the latest approved one. */
function disputed({ fields, state: { objects } }: ScenarioRun): Transaction | undefined {
  const { transaction_id: id } = fields;
  if (typeof id === 'string') return objects.transaction.get(id);
  return objects.transaction.all().findLast(({ approved }) => approved);
}

/** Returns a chargeback of a transaction's whole captured amount. */
function notification(run: ScenarioRun): AnyFields {
  checkChargeback(run.fields);
  const now = run.state.clock.now();
  const transaction = disputed(run);
  return {
    event: 'chargeback.received',
    chargeback_id: run.state.ids.next('cb'),
    transaction_id: transaction?.id ?? run.state.ids.digits(10),
    amount: transaction?.amount ?? '12.00',
    reason_code: '10.4',
    reason: 'other fraud, card absent',
    due_date: new Date(now + timeToAnswer).toISOString().slice(0, 10),
    timestamp: new Date(now).toISOString(),
    ...run.fields,
  };
}

/** Emits a chargeback, and posts it to the ledger. */
export function chargeback(run: ScenarioRun): { readonly id: string } {
  const fields = notification(run);
  if (!s.conforms(chargebackSchema, fields))
    return refuse(optionIssues('chargeback', chargebackSchema, fields), advice);
  const event = run.emit(fields);
  postDispute(run.state, fields);
  return event;
}
