import { openShop } from '../../../shop.js';

export const POST = openShop(process.env).receiver.fetch;
