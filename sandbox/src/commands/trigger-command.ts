import type { WebhookEventType } from 'payments-client/webhooks';
import { eventTypeChoices } from '../scenarios/trigger/event-types.ts';
import { type TriggerFields, type TriggerOptions, trigger } from '../scenarios/trigger/trigger.ts';
import { subjectOf } from '../stories/recorded-changes.ts';
import { type Argument, choice, flag, objectFields, optional } from './argument.ts';
import { Command } from './command.ts';
import { withTextsOfEvent } from './texts-of-fields.ts';

type Args = TriggerOptions & {
  readonly type: WebhookEventType;
  readonly fields?: TriggerFields<WebhookEventType> | undefined;
};

export const triggerCommand = new Command({
  name: 'trigger',
  summary: 'Triggers an event, by the state change that emits it.',
  more: 'It changes the object of --set id=…, otherwise it creates one.',
  examples: [
    'trigger checkout.session.completed',
    'trigger refund.failed --set amount=500 --set reason=damaged',
    'trigger chargeback.received --set amount=49.90 --set reason_code=10.4',
  ],
  args: {
    type: choice('The type of the event.', eventTypeChoices),
    // `trigger` checks them against the object of the type.
    fields: optional(objectFields() as Argument<TriggerFields<WebhookEventType>>),
    bare: optional(flag('Sends a chargeback notification without its envelope.')),
  },
  read: (args: Args) => withTextsOfEvent(args),
  run: ({ state }, { type, fields: given, ...options }: Args) => trigger(state, type, given, options),
  tell: (event) => `Triggered ${event.type}: ${event.id} for ${subjectOf(event)}.`,
});
