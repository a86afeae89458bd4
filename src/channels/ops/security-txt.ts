import type { FastifyInstance } from 'fastify';
import { answersHead } from '../shared/answers-head.ts';
import { securityTxtSchema } from './ops-schemas.ts';

export interface SecurityTxtOptions {
  /** `server.securityContact`: a mailto: or https: address. */
  readonly contact: string;
  /** `server.publicUrl`; empty when it is not known. */
  readonly publicUrl: string;
  readonly now: () => Date;
}

const daysValid = 90;

/** `GET /.well-known/security.txt` (contract/operations.md#probes): whom to tell of a weakness (RFC 9116). It carries no base path. */
export function registerSecurityTxt(app: FastifyInstance, { contact, publicUrl, now }: SecurityTxtOptions): void {
  const path = '/.well-known/security.txt';
  const canonical = publicUrl === '' ? '' : `Canonical: ${publicUrl}${path}\n`;
  app.get(path, { ...answersHead, schema: securityTxtSchema }, (_request, reply) => {
    // A date is required. While the server runs, its configuration counts as valid, so the date is always in the future.
    const expires = new Date(now().setUTCHours(24 * daysValid, 0, 0, 0)).toISOString();
    void reply.header('cache-control', 'max-age=86400').type('text/plain; charset=utf-8');
    return reply.send(`Contact: ${contact}\nExpires: ${expires}\n${canonical}`);
  });
}
