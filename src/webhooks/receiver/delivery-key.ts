import { toHex } from '../../base/hex.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { RawBody } from '../signatures/scheme.ts';

/** The bound of every store. */
const maxLength = 512;

/** Escapes every UTF-16 unit but the plain ones, with a fixed width, so that two texts never meet and none holds a `/`. */
function escapeUnits(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Without scopes the part is empty; a scope with an empty name has a part that no other text has. */
function scopePart(scope: string | undefined): string {
  return scope === '' ? '~' : escapeUnits(scope ?? '');
}

function modePart(livemode: boolean | undefined): string {
  if (livemode === undefined) return 'none';
  return livemode ? 'live' : 'test';
}

async function sha256(content: RawBody): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes))));
}

/** What the keys of a consumer's events begin with. */
export const eventPrefix = (consumer: string) => `webhook/${consumer}/`;

/** What the keys of a consumer's bodies begin with that hold no event. */
export const unreadablePrefix = (consumer: string) => `webhook-unreadable/${consumer}/`;

/**
 * The key of an event in the store, and the operation id of its handler: no two consumers, scopes, modes or ids share one. It has at most 512
 * characters.
 */
export async function eventKey(
  consumer: string,
  scope: string | undefined,
  { id, livemode }: WebhookEvent,
): Promise<string> {
  // Unvalidated, it may be anything.
  const mode = modePart(typeof livemode === 'boolean' ? livemode : undefined);
  const rest = `${mode}/${scopePart(scope)}/${escapeUnits(id)}`;
  const prefix = eventPrefix(consumer);
  const key = prefix + rest;
  return key.length <= maxLength ? key : `${prefix}long/${await sha256(rest)}`;
}

/** The key of a body that holds no event for a handler. No worker takes it. */
export async function bodyKey(
  consumer: string,
  scope: string | undefined,
  rawBody: RawBody,
): Promise<string> {
  const prefix = unreadablePrefix(consumer);
  const key = `${prefix}${scopePart(scope)}/${await sha256(rawBody)}`;
  return key.length <= maxLength ? key : `${prefix}long/${await sha256(key)}`;
}
