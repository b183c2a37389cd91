import type { Answer, Question, Reading } from './question.ts';
import { Unanswered } from './sender.ts';

/** Limits and observers of a session. */
export interface SessionOptions {
  readonly ask: (question: Question) => Promise<Answer>;
  /** The most requests to send. */
  readonly maxRequests: number;
  /** The minimum time between the starts of two requests, in ms. */
  readonly pace: number;
  /** Called before each request; `count` is its number. */
  readonly onQuestion: (question: Question, count: number) => void;
}

/** After this many unanswered requests in a row, the service counts as down. */
const maxSilence = 3;

/** Returns why the session must stop after an answer. The form endpoint also gets a wrong key, so its 401 means nothing. */
function reasonToStop({ kind }: Question, { status }: Answer): string | undefined {
  if (status === 401 && kind !== 'form') return 'the service answered 401: it does not accept the key';
  return status === 429 ? 'the service answered 429: it asks for fewer requests' : undefined;
}

/** Asks the questions of readings: each once, one after the other, until a reason to stop. */
export class Session {
  readonly #options: SessionOptions;
  readonly #mayAsk: (question: Question) => boolean;
  readonly #answers = new Map<string, Promise<Answer | undefined>>();
  #count = 0;
  #silence = 0;
  #last = Number.NEGATIVE_INFINITY;
  #stopped: string | undefined;

  /** @param mayAsk Whether a question may be asked; other questions get no answer. */
  constructor(options: SessionOptions, mayAsk: (question: Question) => boolean) {
    this.#options = options;
    this.#mayAsk = mayAsk;
  }

  /** How many requests were sent. */
  get count(): number {
    return this.#count;
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
    const { maxRequests, onQuestion } = this.#options;
    if (this.#stopped === undefined && this.#count >= maxRequests) {
      this.#stopped = `reached the limit of ${maxRequests} requests`;
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
        this.#stopped = `${maxSilence} requests in a row got no answer, the last one with ${error.message}`;
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
