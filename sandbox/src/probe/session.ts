import { wait } from '../base/abort.ts';
import { acceptedByMistake } from './created.ts';
import type { Answer, Question, Reading } from './question.ts';
import { methodOf, targetOf, Unanswered } from './sender.ts';

/** Limits and observers of a session. */
export interface SessionOptions {
  readonly ask: (question: Question) => Promise<Answer>;
  /** The most requests to send. */
  readonly maxRequests: number;
  /** The minimum time between the starts of two requests, in ms. */
  readonly pace: number;
  /** Called before each request; `count` is its number. */
  readonly onQuestion: (question: Question, count: number) => void;
  /** Stops the session. */
  readonly signal?: AbortSignal | undefined;
}

/** The reason after the abort of the signal. */
export const interrupted = 'it was interrupted';

/** After this many unanswered requests in a row, the service counts as down. */
const maxSilence = 3;

/** Each unanswered request may take as long as its timeout. */
const maxUnanswered = 20;

/** The most bytes of all answers. They stay in memory, where JSON may take many times its bytes. A probe of a busy service gets a few. */
const maxMegabytes = 16;

/** Returns why the session must stop after an answer. The form endpoint also gets a wrong key, so its 401 means nothing. */
function reasonToStop(question: Question, answer: Answer): string | undefined {
  const { status } = answer;
  if (acceptedByMistake(question, answer) !== undefined)
    return `the service accepted an invalid ${methodOf(question)} ${targetOf(question)}`;
  if (status === 401 && 'path' in question) return 'the service answered 401: it does not accept the key';
  return status === 429 ? 'the service answered 429: it asks for fewer requests' : undefined;
}

/** Asks the questions of readings: each once, one after the other, until a reason to stop. */
export class Session {
  readonly #options: SessionOptions;
  readonly #mayAsk: (question: Question) => boolean;
  readonly #answers = new Map<string, Promise<Answer | undefined>>();
  #count = 0;
  #silence = 0;
  #unanswered = 0;
  #bytes = 0;
  #last = Number.NEGATIVE_INFINITY;
  #stopped: string | undefined;

  /** @param mayAsk Whether a question may be asked; other questions get no answer. */
  constructor(options: SessionOptions, mayAsk: (question: Question) => boolean) {
    this.#options = options;
    this.#mayAsk = mayAsk;
  }

  /** Why the session stopped; `undefined` while it runs. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Runs a reading to its end. */
  async run<T>(reading: Reading<T>): Promise<T> {
    let step = reading.next();
    while (step.done !== true) step = reading.next(await this.#answer(step.value));
    return step.value;
  }

  #answer(question: Question): Promise<Answer | undefined> {
    const name = JSON.stringify(question);
    const known = this.#answers.get(name);
    if (known !== undefined) return known;
    const answer = this.#ask(question);
    this.#answers.set(name, answer);
    return answer;
  }

  async #ask(question: Question): Promise<Answer | undefined> {
    const { maxRequests, onQuestion, signal } = this.#options;
    if (this.#stopped === undefined && this.#count >= maxRequests) {
      this.#stopped = `reached the limit of ${maxRequests} requests`;
    }
    if (this.#stopped !== undefined || !this.#mayAsk(question)) return undefined;
    await this.#keepPace();
    if (signal?.aborted) {
      this.#stopped = interrupted;
      return undefined;
    }
    this.#count += 1;
    onQuestion(question, this.#count);
    try {
      const answer = await this.#options.ask(question);
      this.#silence = 0;
      this.#stopped = reasonToStop(question, answer);
      this.#countBytes(answer.text.length);
      return answer;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      this.#countUnanswered(error);
      return undefined;
    }
  }

  #countBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= maxMegabytes * 1024 * 1024) return;
    this.#stopped ??= `the answers of the service are over ${maxMegabytes} MB in all`;
  }

  #countUnanswered({ message, bytes }: Unanswered): void {
    this.#silence += 1;
    this.#unanswered += 1;
    const last = `got no usable answer, the last one with ${message}`;
    if (this.#silence >= maxSilence) this.#stopped = `${maxSilence} requests in a row ${last}`;
    else if (this.#unanswered >= maxUnanswered) this.#stopped = `${maxUnanswered} requests ${last}`;
    this.#countBytes(bytes);
  }

  async #keepPace(): Promise<void> {
    const rest = this.#last + this.#options.pace - performance.now();
    if (rest > 0) await wait(rest, this.#options.signal);
    this.#last = performance.now();
  }
}
