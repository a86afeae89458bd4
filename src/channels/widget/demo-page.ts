import type { FastifyInstance } from 'fastify';
import type { DemoProject } from '../../wire/demo-project.ts';
import { type Admission, noted } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { ownPagePolicy } from '../shared/own-page-policy.ts';
import { sendProblem } from '../shared/problem-json.ts';
import { sendFile } from '../shared/send-file.ts';
import { compressed } from '../shared/served-file.ts';
import { demoPageSchema, demoResetSchema, demoSchema } from './widget-schemas.ts';

/** Where the demo page gets what it shows. */
export interface DemoPageSource {
  /** Everything on the page; never more than anybody may see. */
  readonly read: () => Promise<DemoProject>;
  /** Puts every list back to how it was at the start; false when one of them failed. */
  readonly reset: () => Promise<boolean>;
}

export interface DemoPageOptions {
  readonly basePath: string;
  readonly appName: string;
  /** Language tag of the page's own texts. */
  readonly languageTag: string;
  readonly demo: DemoPageSource;
  readonly admission: Pick<Admission, 'guard' | 'security'>;
}

/** `GET /`: the demo page (contract/addresses.md#paths), what it shows of the project, and "Start over". */
export function registerDemoPage(app: FastifyInstance, options: DemoPageOptions, template: string): void {
  const { basePath, demo, admission } = options;
  const { guard } = admission;
  // The path that browsers use: the channel may be mounted below a prefix.
  const page = compressed(
    'text/html; charset=utf-8',
    filled(template, { ...options, basePath: `${app.prefix}${basePath}` }),
  );
  app.get(`${basePath}/`, { ...answersHead, schema: demoPageSchema }, (request, reply) => {
    void reply.header('cache-control', 'no-cache').header('content-security-policy', ownPagePolicy);
    return sendFile(request, reply, page);
  });
  app.get(`${basePath}/helper/demo`, { ...answersHead, schema: demoSchema }, async (request, reply) => {
    noted(request, admission, () => guard.check(request));
    return reply.header('cache-control', 'no-store').send(await demo.read());
  });
  app.post(`${basePath}/helper/demo/reset`, { schema: demoResetSchema }, async (request, reply) => {
    // The origin is checked, so that another website cannot make its visitors' browsers send this request.
    noted(request, admission, () => guard.check(request));
    if (await demo.reset()) return reply.code(204).send();
    return sendProblem(reply, 'internal', 'Not everything could be put back. The log of the server says why.');
  });
}

function filled(template: string, { basePath, appName, languageTag }: DemoPageOptions): string {
  const values: Readonly<Record<string, string>> = { basePath, appName, languageTag };
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escaped(values[name] ?? ''));
}

/** The text with its special characters escaped, for HTML content and attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
