/** The task of a worker. */
export type WorkerTask = { readonly secret: string; readonly lease: number } & (
  | {
      readonly kind: 'redis' | 'sqlite';
      /** The socket of Redis, or the file of SQLite. */
      readonly path: string;
      readonly service: { readonly baseUrl: string; readonly secretKey: string };
    }
  | {
      readonly kind: 'postgres';
      readonly connection: {
        readonly host: string;
        readonly port: number;
        readonly user: string;
        readonly database: string;
      };
    }
);
