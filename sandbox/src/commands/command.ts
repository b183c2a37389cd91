import { checkOptions } from '../base/check-options.ts';
import { rootPath } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';
import * as s from '../base/schema.ts';
import { invalidParameter } from '../domain/problem.ts';
import { issuesOf, meantBy } from '../sdk.ts';
import type { Argument } from './argument.ts';
import type { World } from './world.ts';

/** An action on a sandbox. */
interface Definition<Args extends object, Result> {
  /** Its name in HTTP, in recordings and in the shell, where a dot separates two words. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** More sentences for the help. */
  readonly more?: string;
  /** Command lines of the shell, without the name of the program. */
  readonly examples?: readonly string[];
  readonly args: { readonly [Name in keyof Args]-?: Argument<Args[Name]> };
  /** What further fields are, which the command checks. Without it they are refused. */
  readonly rest?: string;
  /** What the arguments of another process, such as the shell, stand for. Default: themselves. */
  read?(args: Args): Args;
  run(world: World, args: Args): Result;
  /** The same in steps, so that other work can run in between. Each value is its progress. */
  steps?(world: World, args: Args): Generator<unknown, Result>;
  /** What the recording keeps of its arguments. Default: all. */
  recorded?(args: Args): Readonly<Record<string, unknown>>;
  /** Whether the recording keeps it. Default: true. */
  readonly isRecorded?: false;
  /** Whether the shell has it. Default: true. */
  readonly isInShell?: false;
  /** What another process gets as the result. Default: the result. */
  show?(result: Awaited<Result>, world: World): unknown;
  /** Describes the result, in one sentence. */
  tell(result: Awaited<Result>, args: Args): string;
  /** What it made or changed, a line for each. Default: none. */
  list?(result: Awaited<Result>, world: World): readonly string[];
}

/** Longer than any word to choose from. */
const maxWord = 100;

/** The arguments of a command without any. */
export type Nothing = Readonly<Record<never, never>>;

/** The result of a command that another process asked for. */
export interface Performed {
  readonly result: unknown;
  /** The same in one sentence. */
  readonly message: string;
  /** What it made or changed, a line for each. */
  readonly details: readonly string[];
}

/** An action on a sandbox: one row of the table that code, HTTP, the shell, the dashboard, recordings and replays read. */
export class Command<Args extends object = never, Result = unknown> {
  readonly #definition: Definition<Args, Result>;
  /** By the arguments that they leave out. */
  readonly #schemas = new Map<string, s.Schema<Args>>();

  constructor(definition: Definition<Args, Result>) {
    this.#definition = definition;
  }

  get name(): string {
    return this.#definition.name;
  }

  get help(): Pick<Definition<Args, Result>, 'summary' | 'more' | 'rest'> & {
    readonly examples: readonly string[];
  } {
    const { summary, more, rest, examples = [] } = this.#definition;
    return { summary, examples, ...(more !== undefined && { more }), ...(rest !== undefined && { rest }) };
  }

  get isInShell(): boolean {
    return this.#definition.isInShell ?? true;
  }

  /** Its arguments by name, in order. */
  get args(): ReadonlyMap<string, Argument<unknown>> {
    return new Map(Object.entries<Argument<unknown>>(this.#definition.args));
  }

  get hasSteps(): boolean {
    return this.#definition.steps !== undefined;
  }

  /**
   * Checks the options of the method that runs it.
   *
   * @param own The arguments that are not options.
   * @throws ConfigurationError when one is wrong or unknown.
   */
  checkOptions(options: unknown, ...own: readonly (keyof Args)[]): void {
    checkOptions(`sandbox.${this.name}`, this.#schema(own), options);
  }

  /** Runs with the arguments of a typed caller, and records it. */
  run(world: World, args: Args): Result {
    return this.#act(world, args, () => this.#definition.run(world, args));
  }

  /**
   * Runs with arguments whose types nobody checked.
   *
   * @throws Problem that names the first wrong argument.
   */
  runWith(world: World, given: unknown): Result {
    return this.run(world, this.#read(given));
  }

  /**
   * Runs with arguments of another process.
   *
   * @throws Problem that names the first wrong argument.
   */
  async perform(world: World, given: unknown): Promise<Performed> {
    const args = this.#read(given);
    return this.#performed(world, await this.run(world, args), args);
  }

  /** Does what `perform` does, in steps. */
  *performInSteps(world: World, given: unknown): Generator<unknown, Promise<Performed>> {
    const { steps } = this.#definition;
    if (steps === undefined) return this.perform(world, given);
    const args = this.#read(given);
    const result = yield* this.#act(world, args, () => steps(world, args));
    return (async () => this.#performed(world, await result, args))();
  }

  #act<T>(world: World, args: Args, work: () => T): T {
    const { name, recorded, isRecorded = true } = this.#definition;
    return isRecorded
      ? world.storyLog.act(name, recorded?.(args) ?? Object.fromEntries(Object.entries(Object(args))), work)
      : work();
  }

  #performed(world: World, result: Awaited<Result>, args: Args): Performed {
    const { show, tell, list } = this.#definition;
    const shown = show === undefined ? result : show(result, world);
    return { result: shown ?? null, message: tell(result, args), details: list?.(result, world) ?? [] };
  }

  #read(given: unknown): Args {
    const schema = this.#schema();
    if (s.conforms(schema, given)) return this.#definition.read?.(given) ?? given;
    const [{ path, expected, received } = { path: rootPath, expected: 'arguments', received: 'others' }] =
      issuesOf(schema, given);
    const name = path === rootPath ? 'args' : path;
    throw invalidParameter(
      name,
      `${name}: ${this.#choiceProblem(path, given) ?? `expected ${expected}, got ${received}`}.`,
    );
  }

  /** Describes a word that its argument does not allow; `undefined` for any other problem. */
  #choiceProblem(name: string, given: unknown): string | undefined {
    const choices = this.args.get(name)?.choices;
    const word: unknown = isRecord(given) ? given[name] : undefined;
    if (choices === undefined || typeof word !== 'string') return undefined;
    const { what, words, others } = choices;
    return `expected ${what}, got '${word.slice(0, maxWord)}'${meantBy(word, words, others)}`;
  }

  #schema(own: readonly (keyof Args)[] = []): s.Schema<Args> {
    const key = own.join(' ');
    const schema = this.#schemas.get(key) ?? this.#schemaWithout(own);
    this.#schemas.set(key, schema);
    return schema;
  }

  #schemaWithout(own: readonly PropertyKey[]): s.Schema<Args> {
    const { args, rest } = this.#definition;
    const fields = Object.fromEntries(
      Object.entries<Argument<unknown>>(args).flatMap(([name, { schema }]) =>
        own.includes(name) ? [] : [[name, schema]],
      ),
    );
    // The fields are those of the arguments, one for one, which the compiler cannot follow.
    return (rest === undefined ? s.strictObject(fields) : s.object(fields)) as unknown as s.Schema<Args>;
  }
}
