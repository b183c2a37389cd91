import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { VelocityAttempt, VelocityOutcome, VelocityVerdict } from 'payments-client/fraud';
import { forkScript } from '../../../support/programs.ts';
import type { Checked, CheckerTask, Order } from './rules.ts';

const script = new URL('./checker.ts', import.meta.url);

/** A process with a guard. */
export class Checker {
  /** The time of its clock at the start, in ms since 1970. */
  readonly startedAt: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, startedAt: number) {
    this.#child = child;
    this.startedAt = startedAt;
  }

  static async start(task: CheckerTask): Promise<Checker> {
    const child = forkScript(script, task);
    return new Checker(child, await nextMessage<number>(child));
  }

  /** Checks attempts concurrently. */
  check(attempts: readonly VelocityAttempt[]): Promise<readonly Checked[]> {
    return this.#ask({ kind: 'check', attempts });
  }

  /** Records the same outcome for several attempts concurrently. */
  async record(tickets: readonly VelocityVerdict['ticket'][], outcome: VelocityOutcome): Promise<void> {
    await this.#ask({ kind: 'record', tickets, outcome });
  }

  /** Checks attempts until a number is answered; then it is killed, and the others stay open. */
  async checkUntilKilled(attempts: readonly VelocityAttempt[], killAfter: number): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.send({ kind: 'check', attempts, killAfter } satisfies Order);
    const [, signal] = await exit;
    if (signal !== 'SIGKILL') throw new Error(`expected a process that is killed, got ${signal}`);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  #ask(order: Order): Promise<readonly Checked[]> {
    const answer = nextMessage<readonly Checked[]>(this.#child);
    this.#child.send(order);
    return answer;
  }
}

/** Waits for a message; a process that ends without one is an error. */
async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const stop = new AbortController();
  const { signal } = stop;
  const message = once(child, 'message', { signal }).then(([value]) => value);
  const gone = once(child, 'exit', { signal }).then(([code, by]) => {
    throw new Error(`a process ended before it answered: ${code ?? by}`);
  });
  try {
    return await Promise.race([message, gone]);
  } finally {
    stop.abort();
    for (const each of [message, gone]) each.catch(() => undefined);
  }
}
