import { openShop } from '../../../shop.js';

export const runtime = 'nodejs';

export const POST = openShop(process.env).receiver.fetch;
