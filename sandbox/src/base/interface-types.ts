/** Types of the service's interface that the SDK exports only as parts of other types. */

import type { CheckoutSession, RouteName, ServiceInterface, UnlistedValue } from 'payments-client';
import type { AvsResult, assessFraud, CvvResult, RiskResult } from 'payments-client/fraud';
import type { WebhookEventMap } from 'payments-client/webhooks';
import type { collectionObjects, eventCatalog, idPrefixes, transitions } from '../sdk.ts';
import type { Inline } from './inline.ts';

/** The named values of a type that also accepts any other text. */
type Named<Value> = Value extends string ? (string extends Value ? never : Value) : never;

export type AvsCode = Inline<Exclude<AvsResult['code'], UnlistedValue>>;
export type CvvCode = Inline<Exclude<CvvResult['code'], UnlistedValue>>;
export type RiskDecision = Inline<Named<RiskResult['decision']>>;
export type RiskRecommendation = Inline<NonNullable<RiskResult['recommendation']>>;

type Assessable = Extract<Parameters<typeof assessFraud>[0], { readonly approved: boolean }>;
export type ThreeDSecureStatus = Inline<NonNullable<NonNullable<Assessable['threeDSecure']>['status']>>;

export type Chargeback = WebhookEventMap['chargeback.received']['data']['object'];
export type CollectConfig = CheckoutSession['collect_config'];

export type ErrorShape = NonNullable<ServiceInterface['errorShape']>;
export type FormEncoding = NonNullable<ServiceInterface['formEncoding']>;
export type ObjectPlace = NonNullable<ServiceInterface['objectPlace']>;
export type WebhookForm = NonNullable<ServiceInterface['webhooks']>;
export type SecretEncoding = NonNullable<
  Exclude<WebhookForm, { readonly scheme: 'standardWebhooks' }>['secretEncoding']
>;

/** A correction of a route: its method and its path. */
export type RouteOverride = NonNullable<NonNullable<ServiceInterface['routes']>[RouteName]>;
export type HttpMethod = RouteOverride extends `${infer Method} /${string}` ? Method : never;

export type CatalogEventType = keyof typeof eventCatalog;
export type CollectionName = keyof typeof collectionObjects;
export type IdKind = keyof typeof idPrefixes;

/** The kinds of objects whose states the interface shows. */
export type StatefulObject = keyof typeof transitions;
export type Transition = (typeof transitions)[StatefulObject]['transitions'][number];
