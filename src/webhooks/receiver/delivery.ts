import { bytesToHex } from '@noble/hashes/utils.js';
import type { VerifiedBody } from '../authenticate.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { EventReading } from '../events/parse.ts';
import type { DeliveryHeaders } from '../headers.ts';
import type { RawBody } from '../signatures/scheme.ts';
import type { EventContext } from './handlers.ts';
import { maskedBody } from './job.ts';
import type { DeliverySource } from './reports/report.ts';

/** A verified delivery, read and ready for its handler. */
export interface ReadDelivery extends VerifiedBody {
  readonly source: DeliverySource;
  readonly headers: DeliveryHeaders;
  readonly reading: EventReading;
  /** Its key in the store, and the operation id of its handler. */
  readonly key: string;
}

/** Returns the part of the context that every handler receives. */
export function contextOf({ rawBody, masked, key, scope, reading }: ReadDelivery): EventContext {
  return { rawBody, masked: masked ?? false, operationId: key, scope, issues: reading.issues };
}

/** Returns the space of a consumer's keys in the store: their part before the first slash. */
export function deliverySpace(consumer: string): string {
  return `webhook.${consumer}`;
}

/** The key limit of every store. */
const maxLength = 512;

/** Escapes every UTF-16 unit except plain characters, with a fixed width: no two texts collide, and none contains a `/`. */
function escapeUnits(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Without scopes the part is empty; an empty scope name gets a part that no other text has. */
function scopePart(scope: string | undefined): string {
  return scope === '' ? '~' : escapeUnits(scope ?? '');
}

function modePart(livemode: boolean | undefined): string {
  if (livemode === undefined) return 'none';
  return livemode ? 'live' : 'test';
}

async function sha256(content: RawBody): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))));
}

/**
 * Returns the key of a delivery in the store: that of its event, or that of a body without an event for a handler. No two consumers,
 * scopes, modes or ids share one. It has at most 512 characters.
 */
export function keyOf(
  consumer: string,
  { scope, rawBody }: VerifiedBody,
  event: WebhookEvent | undefined,
): Promise<string> {
  return event === undefined ? bodyKey(consumer, scope, rawBody) : eventKey(consumer, scope, event);
}

async function eventKey(
  consumer: string,
  scope: string | undefined,
  { id, livemode }: WebhookEvent,
): Promise<string> {
  // Unvalidated events may hold anything here.
  const mode = modePart(typeof livemode === 'boolean' ? livemode : undefined);
  const rest = `${mode}/${scopePart(scope)}/${escapeUnits(id)}`;
  const prefix = `${deliverySpace(consumer)}/`;
  const key = prefix + rest;
  return key.length <= maxLength ? key : `${prefix}long/${await sha256(rest)}`;
}

async function bodyKey(consumer: string, scope: string | undefined, rawBody: RawBody): Promise<string> {
  const prefix = `${deliverySpace(consumer)}/unreadable/`;
  // Of the masked body: a kept delivery has the same key, and no card number can be found from it.
  const key = `${prefix}${scopePart(scope)}/${await sha256(maskedBody(rawBody))}`;
  return key.length <= maxLength ? key : `${prefix}long/${await sha256(key)}`;
}
