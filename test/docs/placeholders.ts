/** What the examples of doc comments use without declaring it: objects and functions of a shop, and other packages. */

import type { IncomingMessage } from 'node:http';
import type { Queue, Worker as QueueWorker } from 'bullmq';
import type { Express, Response as ExpressResponse } from 'express';
import type { Hono } from 'hono';
import type { setupServer as setupMswServer } from 'msw/node';
import type {
  Charge,
  CheckoutSession,
  Customer,
  PaymentIntent,
  PaymentsClient,
  Refund,
  RefundCreateParams,
  SaleParams,
  TransactionResult,
} from 'payments-client';
import type { FraudRecord } from 'payments-client/fraud';
import type { OrderRow, Orders } from 'payments-client/orders';
import type { PostgresClient, PostgresStore } from 'payments-client/stores';
import type { Receiver, WebhookEvent, WebhookEventMap, Webhooks } from 'payments-client/webhooks';
import type { Sandbox } from 'payments-client-sandbox';
import type { PaymentsMatchers } from 'payments-client-sandbox/testing';
import type { Pool, PoolClient } from 'pg';
import type { ReactElement } from 'react';
import type { expect as vitestExpect } from 'vitest';

export declare const payments: PaymentsClient;
export declare const sandbox: Sandbox;
export declare const webhooks: Webhooks;
export declare const receiver: Receiver<PostgresClient>;
export declare const store: PostgresStore;
export declare const queue: Queue;
export declare const connection: PoolClient;
export declare const pool: Pool;
export declare const database: {
  transaction(run: (client: PostgresClient) => Promise<void>): Promise<void>;
};

export declare const baseUrl: string;
export declare const publicKey: string;
export declare const billingAddress: Record<
  'firstName' | 'lastName' | 'address1' | 'city' | 'state' | 'zip' | 'country',
  string
>;
export declare const secret: string;
export declare const src: string;
export declare const cardFieldScript: string;

export declare const intent: PaymentIntent;
export declare const charge: Charge;
export declare const refund: Refund;
export declare const customer: Customer;
export declare const session: CheckoutSession;
export declare const params: RefundCreateParams;
export declare const operationId: string;
export declare const sale: SaleParams;
export declare const result: TransactionResult;
export const payment_token = 'pt_1';
export const email = 'tea@example.com';
export const zip = '77777';
export declare const ip: string;
export declare const fingerprint: string;
export declare const error: unknown;
export declare const rows: readonly FraudRecord[];

export declare const request: IncomingMessage;
export declare const response: ExpressResponse;
export declare const body: string;
export declare const rawBody: Buffer;
export declare const event: WebhookEvent;
export declare const connectEvent: WebhookEventMap['account.created'];
export declare const on: { 'refund.failed'(): void };

export declare const orders: Orders;
export declare const order: { readonly id: string };
export declare const crm: { save(customer: Customer): Promise<void> };
export declare function pay(token: string): void;
export declare function checkout(client: PaymentsClient, paid: typeof order): Promise<void>;
export declare function readOrder(result: Awaited<ReturnType<PostgresClient['query']>>): OrderRow | undefined;
export declare function ship(transaction: string): void;
export declare function serve(): void;
export declare function hold(held: typeof order | string, reasons?: unknown): Promise<void>;
export declare function refuse(): void;
export declare function tell(text: string): void;
export declare function report(error: unknown): void;
export declare function askForAnotherCard(): void;
export declare function acceptPayments(client: PostgresClient, merchant: string): Promise<void>;
export declare function onRefundFailed(event: WebhookEvent): Promise<void>;
export declare function Checkout(): ReactElement;

export declare const app: Express;
export declare const hono: Hono;
export declare const Worker: typeof QueueWorker;
export declare const setupServer: typeof setupMswServer;
export declare const expect: typeof vitestExpect;
export * as http from 'node:http';

// As the guide to testing says.
declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends PaymentsMatchers<R> {
    /** Not there; it is what the other type parameter is for. */
    readonly __received?: T;
  }
}
