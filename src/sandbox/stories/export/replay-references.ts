import type { RecordedChange, RecordedDelivery } from '../entry.ts';
import { type Reference, referenceText } from '../references.ts';
import type { Step } from './replay-steps.ts';
import { replayedChanges } from './replayed-changes.ts';
import type { StorySource } from './story-source.ts';

/** Says which step of a replay made which object. */
export class StepEffects {
  readonly #source: StorySource;
  readonly #steps: readonly Step[];
  readonly #references = new Map<string, Reference>();
  readonly #changes = new Map<Step, RecordedChange[]>();
  /** How many of a kind a step made, by step and kind. */
  readonly #counts = new Map<string, number>();

  constructor(source: StorySource, steps: readonly Step[]) {
    this.#source = source;
    this.#steps = steps;
    for (const [index, { entry, endpointId }] of steps.entries()) {
      if (endpointId !== undefined) this.#bind(index, 'webhook_endpoint', endpointId);
      if (entry?.kind === 'request') this.#bind(index, 'request', entry.requestId);
    }
    this.#bindChanges();
    this.#bindDeliveries();
  }

  /** Returns the reference to an object that a step before made; `undefined` for any other text. */
  referenceTo(id: string, before: number): string | undefined {
    const reference = this.#references.get(id);
    return reference !== undefined && reference.entry < before ? referenceText(reference) : undefined;
  }

  /** Returns the changes of a step. */
  changesOf(step: Step): readonly RecordedChange[] {
    return this.#changes.get(step) ?? [];
  }

  /** Returns the story's deliveries that were attempted after a step, before the next one. */
  deliveriesOf(step: Step): readonly RecordedDelivery[] {
    const next = this.#steps.find(({ entry, position }) => entry !== undefined && position > step.position);
    const end = next?.position ?? Number.POSITIVE_INFINITY;
    return this.#source.own.flatMap((entry) => {
      const isOfStep = entry.number > step.position && entry.number < end;
      return entry.kind === 'delivery' && isOfStep ? [entry] : [];
    });
  }

  #bind(index: number, kind: string, id: string): void {
    const count = `${index} ${kind}`;
    const position = (this.#counts.get(count) ?? 0) + 1;
    this.#counts.set(count, position);
    this.#references.set(id, { entry: index + 1, kind, position });
  }

  #bindChanges(): void {
    const entries = this.#steps.flatMap(({ entry }) => entry ?? []);
    for (const change of replayedChanges(this.#source, entries)) {
      const index = this.#indexOf(change);
      const step = this.#steps[index];
      const { object, before, after, events } = change;
      if (step === undefined || object.kind === 'webhook_endpoint') continue;
      const known = this.#changes.get(step);
      if (known === undefined) this.#changes.set(step, [change]);
      else known.push(change);
      if (before === null && after !== null) this.#bind(index, object.kind, object.id);
      for (const { id } of events) this.#bind(index, 'event', id);
    }
  }

  #bindDeliveries(): void {
    for (const { id, eventId } of this.#source.state.objects.delivery.all()) {
      const event = this.#references.get(eventId);
      if (event !== undefined) this.#bind(event.entry - 1, 'delivery', id);
    }
  }

  /** Returns the index of the step that made a change: its cause, or the time that passed with it. */
  #indexOf({ cause, number, at }: RecordedChange): number {
    if (cause !== null) return this.#steps.findIndex(({ entry }) => entry?.number === cause);
    const isOfEntry = ({ entry }: Step) => entry !== undefined;
    const last = this.#steps.findLastIndex((step) => isOfEntry(step) && step.position <= number);
    const before = this.#steps[last];
    // What is due already happens right after a step.
    if (before?.at !== undefined && at <= before.at + before.advance) return last;
    return this.#steps.findIndex((step) => isOfEntry(step) && step.position > number);
  }
}
