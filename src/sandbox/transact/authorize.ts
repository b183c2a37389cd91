import type { FraudAssessor } from '../../fraud/assess.ts';
import { readAvs } from '../../fraud/avs.ts';
import { readCvv } from '../../fraud/cvv.ts';
import { type RiskDecision, readRisk } from '../../fraud/risk.ts';
import type { KnownCard } from '../domain/records/form-records.ts';
import type { Transaction, TransactionStatus } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { toAmount } from './amount-field.ts';
import type { PaymentRequest } from './form-request.ts';
import { redeemToken } from './payment-token.ts';
import { decisionOf, scoreOf } from './risk-score.ts';
import type { Screening } from './screening.ts';
import { behaviourOf } from './test-cards.ts';
import { readSentAuthentication, type SentAuthentication } from './three-d-secure.ts';
import { dueFrom } from './transaction-lifetime.ts';

/** A payment with the results of its screening. */
export interface ScreenedPayment {
  readonly request: PaymentRequest;
  /** The card; `undefined` for a token that the sandbox did not create, which stands for a card that pays. */
  readonly card: KnownCard | undefined;
  readonly screening: Screening;
  /** The merchant's fraud settings; `undefined` leaves the decision to the fraud score. */
  readonly assessFraud: FraudAssessor | undefined;
}

type Answer = Pick<Transaction, 'response' | 'responsetext' | 'responseCode'>;
type Checks = Pick<Transaction, 'avs' | 'cvv' | 'riskScore' | 'riskDecision'>;

const approval: Answer = { response: '1', responsetext: 'SUCCESS', responseCode: '100' };
/** Amounts below this are declined, in whole units, so that a test can get a decline without a special card. */
const leastAmount = 1;

function decline(responsetext: string, responseCode = '200'): Answer {
  return { response: '2', responsetext, responseCode };
}

/**
 * Creates the transaction of a payment, approved or not.
 *
 * @throws FormRefusal when its token is unusable.
 */
export function authorize(state: State, payment: ScreenedPayment): Transaction {
  const { request, screening } = payment;
  const { type, payer, orderid, decimals } = request;
  if (typeof payer === 'string') redeemToken(state, payer);
  const checks = check(payment);
  const answer = decide(state, payment, checks);
  const status = statusOf(request, answer);
  const now = state.clock.now();
  const approved = answer.response === '1';
  const { id, text } = numbered(state, answer);
  return state.objects.transaction.add({
    id,
    type,
    amount: toAmount(request.amount, decimals),
    currency: request.currency.toUpperCase(),
    orderid,
    approved,
    status,
    ...answer,
    responsetext: text,
    authcode: approved && type !== 'credit' ? state.ids.digits(6) : '',
    captured: toAmount(status === 'pending' && type === 'sale' ? request.amount : 0, decimals),
    refunded: toAmount(0, decimals),
    refundOf: null,
    ...checks,
    riskDecision: riskDecision(checks, answer, payment),
    riskSessionId: state.objects.device_session.get(request.riskSessionId)?.id ?? null,
    velocityRules: screening.rules,
    createdAt: now,
    dueAt: dueFrom(now, status),
  });
}

function numbered({ ids }: State, { response, responsetext }: Answer): { id: string; text: string } {
  const id = ids.digits(10);
  return { id, text: response === '3' ? `${responsetext} REFID:${ids.digits(10)}` : responsetext };
}

/** Returns the checks. A blocked payment never reaches the issuer; payouts are not checked. */
function check({ request, card, screening }: ScreenedPayment): Checks {
  if (request.type === 'credit') return { avs: '', cvv: '', riskScore: null, riskDecision: null };
  const behaviour = behaviourOf(card?.testCard ?? null);
  const isBlocked = screening.decision === 'block';
  const avs = isBlocked ? '' : behaviour.avs;
  const cvv = isBlocked || card?.hasCvv === false ? '' : behaviour.cvv;
  const authentication = authenticationOf(request);
  const riskScore = scoreOf({ email: request.email, avs, cvv, authentication });
  return { avs, cvv, riskScore, riskDecision: decisionOf(riskScore) };
}

function authenticationOf({ cardholderAuth, eci }: PaymentRequest): SentAuthentication {
  return readSentAuthentication(cardholderAuth, eci);
}

/** Returns the first objection: of a velocity rule, the issuer, the fraud score, or the merchant's policy. */
function decide(state: State, payment: ScreenedPayment, checks: Checks): Answer {
  const { screening } = payment;
  if (screening.decision === 'block') return decline(`Velocity rule ${screening.rules[0] ?? ''}`.trim());
  const refusal = refusalOfIssuer(state, payment);
  if (refusal !== undefined) return refusal;
  if (checks.riskDecision === 'D') return decline('Declined by fraud scoring');
  if (judge(payment, checks) === 'decline') return decline('Declined by fraud settings');
  return approval;
}

function refusalOfIssuer({ clock }: State, { request, card }: ScreenedPayment): Answer | undefined {
  const planned = behaviourOf(card?.testCard ?? null).decline;
  if (planned !== null) {
    const { response, responsetext, code } = planned;
    return { response, responsetext, responseCode: code };
  }
  if (card !== undefined && clock.now() >= card.expiresAt) return decline('Expired card', '223');
  const takesMoney = request.type === 'sale' || request.type === 'auth';
  return takesMoney && request.amount < leastAmount * 10 ** request.decimals ? decline('DECLINE') : undefined;
}

/** Returns the decision of the merchant's settings. */
function judge({ request, assessFraud }: ScreenedPayment, checks: Checks): 'accept' | 'review' | 'decline' {
  if (assessFraud === undefined || request.type === 'credit') return 'accept';
  const authentication = authenticationOf(request);
  const { decision } = assessFraud({
    approved: true,
    response: '1',
    avs: readAvs(checks.avs),
    cvv: readCvv(checks.cvv),
    risk: readRisk(String(checks.riskScore ?? ''), checks.riskDecision ?? ''),
    amount: toAmount(request.amount, request.decimals),
    ...(authentication !== 'none' && { threeDSecure: outcomes[authentication] }),
  });
  return decision === 'retry' ? 'review' : decision;
}

const outcomes = {
  succeeded: { authenticated: true },
  unavailable: { authenticated: false, status: 'unavailable' },
  failed: { authenticated: false, status: 'failed' },
} as const;

/** Returns the strictest decision of the score, the velocity rules and the merchant's settings. */
function riskDecision(checks: Checks, answer: Answer, payment: ScreenedPayment): RiskDecision | null {
  if (checks.riskDecision === null || checks.riskDecision === 'D') return checks.riskDecision;
  const { decision } = payment.screening;
  const judged = judge(payment, checks);
  if (decision === 'block' || (answer.response === '2' && judged === 'decline')) return 'D';
  return decision === 'review' || judged === 'review' ? 'R' : checks.riskDecision;
}

function statusOf({ type }: PaymentRequest, { response }: Answer): TransactionStatus {
  if (response === '2') return 'declined';
  if (response === '3') return 'failed';
  if (type === 'auth') return 'authorized';
  return type === 'validate' ? 'validated' : 'pending';
}
