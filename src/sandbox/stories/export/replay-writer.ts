import { minute } from '../../../base/time.ts';
import { toMilliseconds } from '../../store/duration.ts';
import type { RecordedAction, RecordedRequest } from '../entry.ts';
import { actionCode, pageCode } from './action-code.ts';
import { callCode } from './call-code.ts';
import { type Code, call, quote } from './code-text.ts';
import type { ReplayedEntry } from './entries-to-replay.ts';
import type { ExportContext } from './export-context.ts';
import { faultCode } from './fault-code.ts';
import { formCode, transactionOf, wasIgnored } from './form-code.ts';
import type { IdCodes } from './id-codes.ts';
import { replyObject } from './reply-object.ts';
import type { Result, Script, Statement } from './test-script.ts';
import { timeText } from './time-text.ts';

/** Writes the entries of a story into a script, in order. */
export class ReplayWriter {
  readonly #context: ExportContext;
  readonly #script: Script;
  readonly #ids: IdCodes;
  readonly #pages = new Set<string>();
  /** The time of the new sandbox, in ms since 1970. */
  #now: number;

  constructor(context: ExportContext, script: Script, ids: IdCodes, startsAt: number) {
    this.#context = context;
    this.#script = script;
    this.#ids = ids;
    this.#now = startsAt;
  }

  /** Adds the statement that repeats an entry. */
  write(entry: ReplayedEntry): void {
    this.#ids.moveTo(entry.number);
    this.advanceTo(entry.at);
    if (entry.kind === 'action') this.#action(entry);
    else if (entry.source === 'buyer') this.#page(entry);
    else this.#request(entry);
  }

  /** Advances the clock, if the time that passed is long enough for something to fall due. */
  advanceTo(time: number): void {
    const passed = time - this.#now;
    if (passed < minute) return;
    this.#now = time;
    this.#script.add({
      code: call('sandbox.clock.advance', [quote(timeText(passed))]),
      isAwaited: true,
    });
  }

  #action(action: RecordedAction): void {
    const statement = actionCode(action, this.#context.own, this.#ids.codeOf);
    if (statement !== undefined) this.#script.add(statement);
    const { advance } = action.details;
    if (typeof advance === 'string' || typeof advance === 'number')
      this.#now += toMilliseconds('advance', advance);
  }

  #page(request: RecordedRequest): void {
    const statement = pageCode(request, this.#context.own, this.#pages, this.#ids.codeOf);
    if (statement !== undefined) this.#script.add(statement);
  }

  #request(request: RecordedRequest): void {
    const isForm = request.operation === 'transact.submit';
    const fault = faultCode(request, isForm && wasIgnored(request, this.#context.own));
    const code = isForm ? this.#form(request) : this.#call(request);
    if (fault !== undefined) this.#script.add(fault.inject);
    this.#script.add(this.#expectingResult(request, code));
    if (fault?.hold === undefined) return;
    this.#script.add({ code: call(`${this.#script.variableOf(fault.hold)}.release`, []) });
  }

  #call(request: RecordedRequest): Code {
    const { codeOf, acceptedCodeOf } = this.#ids;
    const isAccepted = request.reply !== null && request.reply.status < 300;
    const { forms } = this.#context.state.settings;
    return callCode(request, {
      own: this.#context.own,
      forms,
      codeOf: isAccepted ? acceptedCodeOf : codeOf,
    });
  }

  #form(request: RecordedRequest): Code {
    const { own, state } = this.#context;
    return formCode(request, this.#script, {
      own,
      state,
      year: new Date(this.#now).getUTCFullYear(),
      codeOf: this.#ids.codeOf,
    });
  }

  /** Returns the statement that sends a request and expects its recorded result. */
  #expectingResult(request: RecordedRequest, code: Code): Statement {
    const { arrived, reply, fault } = request;
    const status = reply?.status ?? 0;
    // The body of a scripted reply may be one that the client rejects.
    if (!arrived || (fault?.kind === 'respond' && status < 300)) {
      return { code: withCatch(code), isAwaited: true };
    }
    if (status < 300) return { code, isAwaited: true, result: this.#resultOf(request) };
    return { code: call('expect', [code], `.rejects.toMatchObject({ status: ${status} })`), isAwaited: true };
  }

  #resultOf(request: RecordedRequest): Result | undefined {
    if (request.operation === 'transact.submit') {
      const transaction = transactionOf(request, this.#context.own);
      const type = String(new URLSearchParams(request.request.body ?? '').get('type'));
      return transaction === undefined ? undefined : { kind: type, fields: { transactionid: transaction } };
    }
    const fields = replyObject(request);
    return typeof fields['object'] === 'string' ? { kind: fields['object'], fields } : undefined;
  }
}

function withCatch(code: Code): Code {
  return typeof code === 'string' || code.kind !== 'call' ? code : { ...code, after: '.catch(() => {})' };
}
