import type { Answer, Question, Reading } from './question.ts';
import { Unanswered } from './sender.ts';

/** How a session is bounded and watched. */
export interface SessionOptions {
  readonly ask: (question: Question) => Promise<Answer>;
  /** The most requests that are sent. */
  readonly maxRequests: number;
  /** The least time between the starts of two requests, in ms. */
  readonly pace: number;
  /** Told before each request; `count` is its number. */
  readonly onQuestion: (question: Question, count: number) => void;
}

/** After so many requests without an answer in a row, the service is down. */
const maxSilence = 3;

/** Says why nothing more is asked after an answer. The form endpoint is given a wrong key too, so that its 401 says nothing. */
function reasonToStop({ kind }: Question, { status }: Answer): string | undefined {
  if (status === 401 && kind !== 'form') return 'the service answered 401: it does not accept the key';
  return status === 429 ? 'the service answered 429: it asks for fewer requests' : undefined;
}

/** Asks what readings want to know: each question once, one after the other, until something says stop. */
export class Session {
  readonly #options: SessionOptions;
  readonly #mayAsk: (question: Question) => boolean;
  readonly #answers = new Map<string, Promise<Answer | undefined>>();
  #count = 0;
  #silence = 0;
  #last = Number.NEGATIVE_INFINITY;
  #stopped: string | undefined;

  /** @param mayAsk Whether a question may be asked; one that may not is not answered. */
  constructor(options: SessionOptions, mayAsk: (question: Question) => boolean) {
    this.#options = options;
    this.#mayAsk = mayAsk;
  }

  /** How many requests were sent. */
  get count(): number {
    return this.#count;
  }

  /** Why nothing more is asked; `undefined` while all is well. */
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
    const { maxRequests, onQuestion } = this.#options;
    if (this.#stopped === undefined && this.#count >= maxRequests) {
      this.#stopped = `${maxRequests} requests were sent, which is the bound`;
    }
    if (this.#stopped !== undefined || !this.#mayAsk(question)) return undefined;
    await this.#keepPace();
    this.#count += 1;
    onQuestion(question, this.#count);
    try {
      const answer = await this.#options.ask(question);
      this.#silence = 0;
      this.#stopped = reasonToStop(question, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      this.#silence += 1;
      if (this.#silence >= maxSilence) {
        this.#stopped = `${maxSilence} requests in a row were not answered, the last one for ${error.message}`;
      }
      return undefined;
    }
  }

  async #keepPace(): Promise<void> {
    const rest = this.#last + this.#options.pace - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    this.#last = performance.now();
  }
}
