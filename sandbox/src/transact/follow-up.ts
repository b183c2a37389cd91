import { minorUnitsOf } from '../domain/amounts.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { decimalsIn, readMinorUnits, toAmount, writeAmount } from './amount-field.ts';
import type { FollowUpRequest } from './form-request.ts';
import { refuse } from './refusal.ts';
import { dueFrom } from './transaction-sums.ts';

/**
 * Captures, voids or refunds an earlier transaction.
 *
 * @returns The transaction of the response: the refund, or the updated earlier one.
 * @throws FormRefusal when the earlier transaction does not allow it.
 */
export function followUp(state: State, request: FollowUpRequest): Transaction {
  const earlier = state.objects.transaction.get(request.transactionid);
  if (earlier === undefined) return refuse('Unknown transactionid: expected that of an earlier transaction');
  switch (request.type) {
    case 'capture':
      return capture(state, earlier, request);
    case 'void':
      return voidIt(state, earlier);
    case 'refund':
      return refund(state, earlier, request);
  }
}

function capture(state: State, earlier: Transaction, { amount, amounts }: FollowUpRequest): Transaction {
  if (earlier.status !== 'authorized')
    refuse(`Only authorized transactions can be captured: ${stands(earlier)}`);
  const authorized = minorUnitsOf(earlier.amount);
  const decimals = decimalsIn(earlier.amount);
  const captured = amount === '' ? authorized : readMinorUnits(amount, decimals, amounts);
  const write = (minorUnits: number) => writeAmount(minorUnits, decimals, amounts);
  if (captured === 0) refuse(`Invalid amount: expected more than ${write(0)}`);
  if (captured > authorized) refuse(`Invalid amount: at most ${write(authorized)} is authorized`);
  const dueAt = dueFrom(state.clock.now(), 'pending');
  return state.objects.transaction.replace({
    ...earlier,
    status: 'pending',
    captured: toAmount(captured, decimals),
    dueAt,
  });
}

function voidIt(state: State, earlier: Transaction): Transaction {
  if (earlier.status !== 'authorized' && earlier.status !== 'pending') {
    refuse(`Only transactions pending settlement can be voided: ${stands(earlier)}`);
  }
  if (minorUnitsOf(earlier.refunded) > 0)
    refuse('A transaction with refunds cannot be voided: void them first');
  if (earlier.refundOf !== null) addRefunded(state, earlier.refundOf, -minorUnitsOf(earlier.amount));
  return state.objects.transaction.replace({
    ...earlier,
    status: 'voided',
    captured: toAmount(0, decimalsIn(earlier.amount)),
    dueAt: null,
  });
}

function refund(state: State, earlier: Transaction, request: FollowUpRequest): Transaction {
  const { orderid, amounts } = request;
  const decimals = decimalsIn(earlier.amount);
  const nothing = toAmount(0, decimals);
  const amount = readMinorUnits(request.amount, decimals, amounts);
  const write = (minorUnits: number) => writeAmount(minorUnits, decimals, amounts);
  // In similar gateways zero stands for the whole amount, which nobody should have to know.
  if (amount === 0) refuse(`Invalid amount: expected more than ${write(0)}`);
  const left = minorUnitsOf(earlier.captured) - minorUnitsOf(earlier.refunded);
  if (left === 0) refuse(`There is nothing to refund: ${stands(earlier)}`);
  if (amount > left) refuse(`Invalid amount: at most ${write(left)} is left to refund`);
  addRefunded(state, earlier.id, amount);
  const now = state.clock.now();
  return state.objects.transaction.add({
    id: state.ids.digits(10),
    type: 'refund',
    amount: toAmount(amount, decimals),
    currency: earlier.currency,
    orderid: orderid === '' ? earlier.orderid : orderid,
    approved: true,
    status: 'pending',
    response: '1',
    responsetext: 'SUCCESS',
    responseCode: '100',
    authcode: '',
    captured: nothing,
    refunded: nothing,
    refundOf: earlier.id,
    avs: '',
    cvv: '',
    riskScore: null,
    riskDecision: null,
    riskSessionId: null,
    velocityRules: [],
    createdAt: now,
    dueAt: dueFrom(now, 'pending'),
  });
}

function addRefunded({ objects }: State, id: string, amount: number): void {
  const transaction = objects.transaction.get(id);
  if (transaction === undefined) return;
  const refunded = toAmount(minorUnitsOf(transaction.refunded) + amount, decimalsIn(transaction.amount));
  objects.transaction.replace({ ...transaction, refunded });
}

function stands({ status }: Transaction): string {
  return `this one is ${status}`;
}
