import * as sdk from 'payments-client';
import * as browser from 'payments-client/browser';
import * as fraud from 'payments-client/fraud';
import * as stores from 'payments-client/stores';
import * as webhooks from 'payments-client/webhooks';
import * as sandbox from 'payments-client-sandbox';
import * as testing from 'payments-client-sandbox/testing';
import { use } from './use.cjs';

export const entries = { sdk, browser, fraud, stores, webhooks, sandbox, testing };
await use(entries);
