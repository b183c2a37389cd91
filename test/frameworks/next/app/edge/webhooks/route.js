import { openShop } from '../../../shop.js';

export const runtime = 'edge';

export const POST = openShop(process.env).receiver.fetch;
