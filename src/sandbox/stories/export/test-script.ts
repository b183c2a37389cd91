import { type Code, write } from './code-text.ts';

/** The result of a statement: an object of the service, as the app received it. */
export interface Result {
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether its type includes `undefined`. */
  readonly isOptional?: boolean;
}

/** A statement of the test. */
export interface Statement {
  readonly code: Code;
  readonly comment?: string | undefined;
  readonly isAwaited?: boolean;
  /** Its result. It gets a variable when a later statement refers to it. */
  readonly result?: Result | undefined;
  /** The text around the variable if the result is a part of the value: `[` and `]`. */
  readonly around?: readonly [before: string, after: string];
}

/** Variable names that differ from the kind. */
const names: Readonly<Record<string, string>> = {
  checkout_session: 'session',
  payment_intent: 'intent',
  credit_note: 'note',
  payment_token: 'token',
};

/** The statements of a test, in order. */
export class Script {
  /** Statements that run before the sandbox listens. */
  readonly #beforehand: Statement[] = [];
  readonly #statements: Statement[] = [];
  readonly #variables = new Map<Result, string>();
  readonly #usedNames = new Set<string>();

  /** The available results, in order of creation. */
  get results(): readonly Result[] {
    return [...this.#beforehand, ...this.#statements].flatMap(({ result }) => result ?? []);
  }

  /** Appends a statement. */
  add(statement: Statement): void {
    this.#statements.push(statement);
  }

  /** Appends a statement that runs before the sandbox listens, so that it is not recorded. */
  prepare(statement: Statement): void {
    this.#beforehand.push(statement);
  }

  /** Returns the variable of a result. */
  variableOf(result: Result): string {
    const known = this.#variables.get(result);
    if (known !== undefined) return known;
    const name = this.#freeName(this.#nameOf(result));
    this.#variables.set(result, name);
    return name;
  }

  /** Returns the statements as text, those before `listen` separately. */
  write(indent: string): { readonly beforehand: string; readonly statements: string } {
    const all = (statements: readonly Statement[]) =>
      statements.map((statement) => this.#writeOne(statement, indent)).join('');
    return { beforehand: all(this.#beforehand), statements: all(this.#statements) };
  }

  /** Returns the name of a result. A confirmed payment is the same intent again. */
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
    for (let count = 2; this.#usedNames.has(name); count += 1) name = `${base}${count}`;
    this.#usedNames.add(name);
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
