import { isRecord, parseJson } from '../../../base/json.ts';
import type { State } from '../../domain/state.ts';
import type { Entry, RecordedAction, RecordedChange, RecordedRequest } from '../entry.ts';
import { isTruncated } from '../redact-body.ts';
import type { Story } from '../whole-story.ts';
import { notReplayable } from './not-replayable.ts';

/** A story, and the data of the sandbox that its export needs. */
export interface StorySource {
  readonly story: Story;
  /** The other stories of the same apparent purchase. */
  readonly twins: readonly Story[];
  /** All entries of the recording, oldest first. */
  readonly recorded: readonly Entry[];
  /** The entries of the story and its twins, oldest first. */
  readonly own: readonly Entry[];
  readonly state: State;
  /** The sandbox's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A recorded entry that can be replayed. */
export type Replayable = RecordedRequest | RecordedAction;

/** Whether an entry is a change. */
export function isChange(entry: Entry): entry is RecordedChange {
  return entry.kind === 'change';
}

/** The body of a request, as an entry of a replay has it. */
export interface SentBody {
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly encoding?: 'multipart';
}

/**
 * Returns the body of a request.
 *
 * @throws Problem when its end was not recorded.
 */
export function sentBodyOf({ number, request: { body, headers } }: RecordedRequest): SentBody {
  if (body === null || body === '') return {};
  if (isTruncated(body)) {
    throw notReplayable(`the body of request ${number} is longer than the 16 KB that are recorded.`);
  }
  const type = headers['content-type'] ?? '';
  if (!type.includes('form')) {
    const fields = parseJson(body);
    return { body: isRecord(fields) ? fields : body };
  }
  const form = Object.fromEntries(new URLSearchParams(body));
  return type.startsWith('multipart') ? { form, encoding: 'multipart' } : { form };
}
