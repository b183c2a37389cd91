import { type Code, write } from './code-text.ts';

/** What a statement gives: an object of the service, as the app got it. */
export interface Result {
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether it may be missing, as the compiler sees it. */
  readonly isOptional?: boolean;
}

/** A statement of the test. */
export interface Statement {
  readonly code: Code;
  readonly comment?: string | undefined;
  readonly isAwaited?: boolean;
  /** What it gives; it is given a name once something refers to it. */
  readonly result?: Result | undefined;
  /** Around the name, where the result is a part of what it gives: `[` and `]`. */
  readonly around?: readonly [before: string, after: string];
}

/** Names of variables for kinds that are called otherwise. */
const names: Readonly<Record<string, string>> = {
  checkout_session: 'session',
  payment_intent: 'intent',
  credit_note: 'note',
  payment_token: 'token',
};

/** The statements of a test, in the order in which they are to run. */
export class Script {
  /** Those that run before the sandbox listens. */
  readonly #beforehand: Statement[] = [];
  readonly #statements: Statement[] = [];
  readonly #variables = new Map<Result, string>();
  readonly #taken = new Set<string>();

  /** What can be referred to, in the order in which it was made. */
  get results(): readonly Result[] {
    return [...this.#beforehand, ...this.#statements].flatMap(({ result }) => result ?? []);
  }

  /** Adds a statement at the end. */
  add(statement: Statement): void {
    this.#statements.push(statement);
  }

  /** Adds a statement that runs before the sandbox listens, so that nothing of it is recorded. */
  prepare(statement: Statement): void {
    this.#beforehand.push(statement);
  }

  /** The variable that holds a result. */
  variableOf(result: Result): string {
    const known = this.#variables.get(result);
    if (known !== undefined) return known;
    const name = this.#freeName(this.#nameOf(result));
    this.#variables.set(result, name);
    return name;
  }

  /** The statements as text, those that run beforehand apart. */
  write(indent: string): { readonly beforehand: string; readonly statements: string } {
    const all = (statements: readonly Statement[]) =>
      statements.map((statement) => this.#writeOne(statement, indent)).join('');
    return { beforehand: all(this.#beforehand), statements: all(this.#statements) };
  }

  /** A payment that is confirmed is the same intent once more. */
  #nameOf(result: Result): string {
    const { kind, fields } = result;
    const isAgain =
      this.results.find((one) => one.kind === kind && one.fields['id'] === fields['id']) !== result;
    return isAgain && kind === 'payment_intent' && fields['status'] === 'succeeded'
      ? 'paid'
      : (names[kind] ?? kind);
  }

  #freeName(base: string): string {
    let name = base;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${base}${count}`;
    this.#taken.add(name);
    return name;
  }

  #writeOne(
    { code, comment, isAwaited = false, result, around = ['', ''] }: Statement,
    indent: string,
  ): string {
    const variable = result && this.#variables.get(result);
    const declaration = variable === undefined ? '' : `const ${around[0]}${variable}${around[1]} = `;
    const start = `${declaration}${isAwaited ? 'await ' : ''}`;
    const remark = comment === undefined ? '' : `${indent}// ${comment}\n`;
    return `${remark}${indent}${start}${write(code, indent, start.length + 1)};\n`;
  }
}
