import { type ChildProcess, fork } from 'node:child_process';

/** A program of the benchmark in a process of its own. It answers one message at a time. */
export class Child {
  readonly #process: ChildProcess;

  /** @param settings The program's argument, as JSON. */
  constructor(file: string, settings: object, env: NodeJS.ProcessEnv = {}) {
    const program = new URL(file, import.meta.url);
    this.#process = fork(program, [JSON.stringify(settings)], { env: { ...process.env, ...env } });
  }

  /** Returns the next message of the process. Throws if it ends instead. */
  next<Answer>(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const end = (code: number | null) =>
        reject(new Error(`expected an answer of a process, but it ended with ${code}.`));
      this.#process.once('exit', end);
      this.#process.once('message', (message) => {
        this.#process.off('exit', end);
        resolve(message as Answer);
      });
    });
  }

  ask<Answer>(message: object): Promise<Answer> {
    const answer = this.next<Answer>();
    this.#process.send(message);
    return answer;
  }

  stop(): void {
    this.#process.kill();
  }
}
