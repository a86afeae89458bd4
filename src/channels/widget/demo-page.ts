import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../shared/problem-json.ts';
import { sendFile } from './send-file.ts';
import { compressed } from './widget-files.ts';

export interface DemoPageOptions {
  readonly basePath: string;
  readonly demoData?: (() => Promise<unknown>) | undefined;
}

/** What a page needs for the widget, and no more: it proves that the widget lives under a strict policy. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** `GET /`: the order desk of the demo (wire.md 6), and the orders it shows. */
export function registerDemoPage(app: FastifyInstance, options: DemoPageOptions, template: string): void {
  const page = compressed('text/html; charset=utf-8', template.replaceAll('{{basePath}}', options.basePath));
  app.get(`${options.basePath}/`, (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('content-security-policy', contentSecurityPolicy);
    return sendFile(request, reply, page);
  });
  app.get(`${options.basePath}/helper/demo/orders`, async (_request, reply) => {
    const { demoData } = options;
    if (demoData === undefined) return sendProblem(reply, 'not_found', 'The sample plugin "order-desk" is not loaded.');
    return reply.header('cache-control', 'no-store').send(await demoData());
  });
}
