import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, type RawBodyRequest, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request, Response } from 'express';
import { openShop } from '../shop.js';

const { pay, receiver } = openShop(process.env);

@Controller()
class ShopController {
  @Post('pay')
  @HttpCode(200)
  pay(@Body() body: { order: string }) {
    return pay(body.order);
  }

  @Post('webhooks')
  async receive(@Req() { rawBody, headers }: RawBodyRequest<Request>, @Res() response: Response) {
    const reply = await receiver.handle({ body: rawBody ?? '', headers });
    response.status(reply.status).set(reply.headers).send(reply.body);
  }
}

@Module({ controllers: [ShopController] })
class ShopModule {}

// `rawBody` keeps the bytes that the signature is over, beside the parsed body.
const app = await NestFactory.create(ShopModule, { rawBody: true, logger: ['error'] });
await app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
console.log(`Listening at ${await app.getUrl()}`);
