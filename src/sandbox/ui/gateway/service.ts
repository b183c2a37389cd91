import { fieldOf } from '../frames/field.ts';

/** The sandbox that a script came from. */
export class Service {
  readonly #script: string;

  /** @param script The address of the script, from which all others are found. */
  constructor(script: string) {
    this.#script = script;
  }

  /** The address of a path of the sandbox. */
  address(path: string): URL {
    return new URL(`../${path}`, this.#script);
  }

  /**
   * Sends a form, and gives what was answered.
   *
   * @throws Error that says why the sandbox refused it, or that it was not reached.
   */
  async post(path: string, fields: Readonly<Record<string, string>>): Promise<unknown> {
    const body = new URLSearchParams(fields);
    const response = await fetch(this.address(path), { method: 'POST', body, credentials: 'omit' });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(messageOf(answer) ?? `The sandbox answered ${response.status}.`);
    return answer;
  }
}

function messageOf(answer: unknown): string | undefined {
  const error = fieldOf(answer, 'error');
  const message = fieldOf(error, 'message');
  return typeof message === 'string' ? message : undefined;
}
