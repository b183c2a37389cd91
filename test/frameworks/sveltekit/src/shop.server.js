import { env } from '$env/dynamic/private';
import { openShop } from '../shop.js';

export const { pay, receiver } = openShop(env);
