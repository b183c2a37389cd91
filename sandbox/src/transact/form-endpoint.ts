import type { HonoRequest } from 'hono';
import type { Answer, Turn } from '../api/exchange.ts';
import { formOperation, type Operation } from '../api/operation.ts';
import { jsonReply } from '../api/reply.ts';
import type { Forms } from '../domain/forms.ts';
import type { KnownCard, Reply } from '../domain/records/records.ts';
import type { Transaction } from '../domain/records/transaction.ts';
import type { State } from '../domain/state.ts';
import { authorize } from './authorize.ts';
import { CardReader } from './card-reader.ts';
import { followUp } from './follow-up.ts';
import { keepShownFields, type PaymentRequest, readField, readForm, readRequest } from './form-request.ts';
import { usableToken } from './payment-token.ts';
import { FormRefusal, refuse } from './refusal.ts';
import { type Screening, type ScreeningSettings, VelocityScreening } from './screening.ts';

/** The fields of a response, in order. */
type FormFields = Readonly<Record<string, string>>;

/** Returns the response fields of a transaction. One without a card check has no score. */
function resultFields(form: FormData, transaction: Transaction): FormFields {
  const { response, responsetext, responseCode, authcode, id, avs, cvv, riskScore, riskDecision } =
    transaction;
  const type = readField(form, 'type');
  const isCheck = type !== 'capture' && type !== 'void' && riskScore !== null && riskDecision !== null;
  return {
    response,
    responsetext,
    authcode,
    transactionid: id,
    avsresponse: isCheck ? avs : '',
    cvvresponse: isCheck ? cvv : '',
    orderid: transaction.orderid,
    type,
    response_code: responseCode,
    ...(isCheck && { risk_score: String(riskScore), risk_decision: riskDecision }),
  };
}

/** Returns the response fields of a form that cannot be processed. */
function errorFields({ ids }: State, form: FormData, problem: string): FormFields {
  return {
    response: '3',
    responsetext: `${problem} REFID:${ids.digits(10)}`,
    authcode: '',
    transactionid: '',
    avsresponse: '',
    cvvresponse: '',
    orderid: readField(form, 'orderid'),
    type: readField(form, 'type'),
    response_code: '300',
  };
}

function encode(fields: FormFields, form: Exclude<Forms['formResponse'], 'json'>): string {
  if (form === 'escaped') return new URLSearchParams(fields).toString();
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Returns the reply of the form endpoint. It is a 200 whatever the result of the transaction is. */
function formReply(fields: FormFields, form: Forms['formResponse']): Reply {
  if (form === 'json') return jsonReply(200, fields);
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: encode(fields, form),
  };
}

interface FormSettings extends ScreeningSettings {
  /** How to treat a token that the sandbox did not create. */
  readonly unknownTokens: 'approve' | 'refuse';
}

/** Returns a form as url-encoded text, whatever its encoding was. */
function textOf(form: FormData): string {
  const text = new URLSearchParams();
  for (const [name, value] of form) text.append(name, typeof value === 'string' ? value : '');
  return text.toString();
}

/** A form that arrived. */
interface ReceivedForm {
  readonly operation: Operation;
  readonly fields: FormData;
  /** Returns it as url-encoded text. */
  text(): string;
}

/** Answers forms. They have no idempotency: the same form twice is two transactions. */
export class FormEndpoint {
  readonly #state: State;
  readonly #settings: FormSettings;
  readonly #cards: CardReader;
  readonly #velocity: VelocityScreening;

  constructor(state: State, settings: FormSettings) {
    this.#state = state;
    this.#settings = settings;
    this.#cards = new CardReader(settings.securityKey);
    this.#velocity = new VelocityScreening(state, settings);
  }

  /**
   * Reads a form.
   *
   * @throws Problem 413 when it is too long.
   */
  async read(request: HonoRequest): Promise<ReceivedForm> {
    const fields = await readForm(request, this.#state.settings.forms.formEncoding);
    return { operation: formOperation(readField(fields, 'type')), fields, text: () => textOf(fields) };
  }

  async answer({ fields }: ReceivedForm, turn: Turn): Promise<Answer> {
    const { forms, onlyShownFields } = this.#state.settings;
    const form = onlyShownFields ? keepShownFields(fields) : fields;
    await turn.proceed();
    const result = await this.#fields(form, turn.requestId);
    return { reply: formReply(result, forms.formResponse), replayed: false };
  }

  async #fields(form: FormData, cause: string): Promise<FormFields> {
    try {
      return resultFields(form, await this.#transact(form, cause));
    } catch (error) {
      if (error instanceof FormRefusal) return errorFields(this.#state, form, error.message);
      throw error;
    }
  }

  async #transact(form: FormData, cause: string): Promise<Transaction> {
    if (readField(form, 'security_key') !== this.#settings.securityKey) refuse('Authentication Failed');
    const request = readRequest(form, this.#state.settings.forms.formAmounts);
    if ('payer' in request) return this.#pay(request, cause);
    return this.#state.unit(() => followUp(this.#state, request), { cause });
  }

  async #pay(request: PaymentRequest, cause: string): Promise<Transaction> {
    const card = await this.#cardOf(request);
    const fingerprint = card?.fingerprint ?? `token ${String(request.payer)}`;
    const screening = await this.#velocity.check(request, fingerprint);
    return this.#recorded(screening, () => {
      const work = () => authorize(this.#state, { request, card, screening });
      return this.#state.unit(work, { cause });
    });
  }

  /** Returns the card; `undefined` for a token that the sandbox did not create, if those are allowed. */
  async #cardOf({ payer }: PaymentRequest): Promise<KnownCard | undefined> {
    if (typeof payer !== 'string') return this.#cards.read(payer);
    const token = usableToken(this.#state, payer);
    if (token === undefined && this.#settings.unknownTokens === 'refuse') {
      refuse('Unknown payment_token: expected one that the sandbox created');
    }
    return token?.card;
  }

  /** Reports the result of a payment to the velocity rules. */
  async #recorded(screening: Screening, work: () => Transaction): Promise<Transaction> {
    try {
      const transaction = work();
      await this.#velocity.record(screening, transaction.approved ? 'approved' : 'declined');
      return transaction;
    } catch (error) {
      await this.#velocity.record(screening, 'not_sent');
      throw error;
    }
  }
}
