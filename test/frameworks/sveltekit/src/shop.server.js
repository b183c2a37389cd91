import * as env from '$app/env/private';
import { openShop } from '../shop.js';

export const { pay, receiver } = openShop(env);
