/** The webhook servers, each a process of its own: they act on what is signed, once, and on nothing else. */

import { describe, expect, it, vi } from 'vitest';
import { secret, startMerchant } from './support.ts';
import { deliveryOf, signed } from './deliveries.ts';
