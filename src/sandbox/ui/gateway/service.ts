import { fieldOf } from '../frames/field.ts';

/** The sandbox that served the script. */
export class Service {
  readonly #script: string;

  /** @param script The script's URL, the base of all other URLs. */
  constructor(script: string) {
    this.#script = script;
  }

  /** Returns the URL of a path of the sandbox. */
  address(path: string): URL {
    return new URL(`../${path}`, this.#script);
  }

  /**
   * Sends a form and returns the response.
   *
   * @throws Error with the sandbox's message, or that the sandbox is unreachable.
   */
  async post(path: string, fields: Readonly<Record<string, string>>): Promise<unknown> {
    const body = new URLSearchParams(fields);
    const response = await fetch(this.address(path), { method: 'POST', body, credentials: 'omit' });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(messageOf(answer) ?? `The sandbox replied ${response.status}.`);
    return answer;
  }
}

function messageOf(answer: unknown): string | undefined {
  const error = fieldOf(answer, 'error');
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : undefined;
}
