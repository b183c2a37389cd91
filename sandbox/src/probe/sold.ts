import { outcomeOf, readErrorBody } from '../sdk.ts';
import type { Leftover } from './created.ts';
import { resultOf } from './gaps/form.ts';
import { soldId, voidOf } from './gaps/test-sale.ts';
import type { HoldsKey } from './keys.ts';
import type { Answer, Question, TestTransaction } from './question.ts';
import { formPath, Unanswered } from './sender.ts';

/** Whether an answer that is no result proves that nothing was sold, as the client reads it. A word that was sent may be an echo. */
function isRefusal({ status, text }: Answer, { transaction }: TestTransaction): boolean {
  const { code, isCodeField, declineCode, isJson } = readErrorBody(text, status);
  const sent = Object.values(transaction);
  const codes = [isCodeField === true ? code : undefined, declineCode];
  const hasCode = codes.some((word) => word !== undefined && !sent.includes(word.toLowerCase()));
  return outcomeOf({ status, code, hasCode, isJson, isKeyed: false }) === 'not_executed';
}

/** Tracks the test sales of the probe, and voids those that are left. */
export class Sales {
  readonly #ask: (question: Question) => Promise<Answer>;
  readonly #holdsKey: HoldsKey;
  /** The sales to void, by their ids. */
  readonly #open = new Map<string, TestTransaction>();
  readonly #leftovers: Leftover[] = [];

  constructor(ask: (question: Question) => Promise<Answer>, holdsKey: HoldsKey) {
    this.#ask = ask;
    this.#holdsKey = holdsKey;
  }

  /** Asks a question, and tracks what it sells or voids. */
  async ask(question: Question): Promise<Answer> {
    try {
      const answer = await this.#ask(question);
      if (question.kind === 'transaction') this.#track(question, answer);
      return answer;
    } catch (error) {
      if (error instanceof Unanswered && question.kind === 'transaction')
        this.#trackLost(question, error.message);
      throw error;
    }
  }

  /** Voids the sales that are left, even if the probe has stopped. Returns those that remain. */
  async cleanUp(): Promise<readonly Leftover[]> {
    for (const question of this.#open.values()) {
      try {
        await this.ask(question);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
      }
    }
    return this.#leftovers;
  }

  #track(question: TestTransaction, answer: Answer): void {
    const { encoding, transaction } = question;
    const approved = resultOf(answer)?.approved;
    if (transaction.type === 'void') {
      this.#endVoid(transaction.transactionid, approved === true ? undefined : 'its void was not approved');
    }
    if (transaction.type !== 'sale' || approved === false) return;
    const id = soldId(answer, this.#holdsKey);
    if (approved === undefined) this.#keepUnread(question, answer);
    else if (id === undefined) this.#keep(id, 'the answer to the sale has no id that can be shown');
    else this.#open.set(id, voidOf(encoding, id));
  }

  #keepUnread(question: TestTransaction, answer: Answer): void {
    if (isRefusal(answer, question)) return;
    this.#keep(undefined, `the sale got an unreadable ${answer.status}, and may have succeeded`);
  }

  #trackLost({ transaction }: TestTransaction, failure: string): void {
    if (transaction.type === 'void')
      this.#endVoid(transaction.transactionid, `its void ended with ${failure}`);
    else if (transaction.type === 'sale')
      this.#keep(undefined, `the sale ended with ${failure}, and may have succeeded`);
  }

  #endVoid(id: string, failure: string | undefined): void {
    if (this.#open.delete(id) && failure !== undefined) this.#keep(id, failure);
  }

  #keep(id: string | undefined, reason: string): void {
    this.#leftovers.push({ path: formPath, id, reason });
  }
}
