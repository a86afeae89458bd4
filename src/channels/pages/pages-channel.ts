import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, noted } from '../shared/admit-requests.ts';
import { answersHead } from '../shared/answers-head.ts';
import { escaped, ownPageLook } from '../shared/own-page.ts';
import { sendProblem } from '../shared/problem-json.ts';
import { sendFile } from '../shared/send-file.ts';
import { compressed, type ServedFile } from '../shared/served-file.ts';
import { apiPage, type ApiDocument } from './api-page.ts';
import { apiPageSchema, rootPageSchema, startPageSchema } from './pages-schemas.ts';
import { pagesStyle } from './pages-style.ts';
import { startPage, type StartPageFacts } from './start-page.ts';

export interface PagesChannelOptions extends StartPageFacts {
  /** `server.basePath`. */
  readonly basePath: string;
  /** Whether `/` is free for the start page. */
  readonly servesRoot: boolean;
  /** The accent of the widget; null takes that of its theme. */
  readonly primaryColor: string | null;
  /** Makes the OpenAPI document. Called once, for the first reader. */
  readonly document: () => object;
  readonly admission: Pick<Admission, 'guard' | 'security'>;
}

/**
 * What people find who open the server in a browser: a start page at `/helper` and `/`, and `/helper/docs`, the OpenAPI document as a page
 * (contract/addresses.md#for-people). None of them has a script.
 */
export const pagesChannel: FastifyPluginCallback<PagesChannelOptions> = (app, options, done) => {
  const { basePath, servesRoot, primaryColor, document, appName } = options;
  const look = ownPageLook({ primaryColor, style: pagesStyle });
  const fileOf = (title: string, body: string): ServedFile =>
    compressed('text/html; charset=utf-8', look.html({ locale: 'en', title, body }));
  const send = pageSender(options, look.policy);

  const start = fileOf(appName, startPage(options));
  const serveStart = (path: string, schema: typeof startPageSchema): void => {
    app.get(path, { ...answersHead, schema }, (request, reply) => {
      void reply.header('vary', 'accept');
      if (!isBrowser(request)) return sendProblem(reply, 'not_found', 'There is nothing at this address.');
      return send(request, reply, start);
    });
  };
  serveStart(`${basePath}/helper`, startPageSchema);
  if (servesRoot) serveStart(`${basePath}/`, rootPageSchema);

  let api: ServedFile | undefined;
  app.get(`${basePath}/helper/docs`, { ...answersHead, schema: apiPageSchema }, (request, reply) => {
    // The document comes from this process, in the form that the specification gives it.
    api ??= fileOf(`API – ${appName}`, apiPage(document() as ApiDocument, documentPath(app, basePath)));
    return send(request, reply, api);
  });
  done();
};

function documentPath(app: FastifyInstance, basePath: string): string {
  return escaped(`${app.prefix}${basePath}/helper/openapi.json`);
}

function pageSender(
  { admission }: Pick<PagesChannelOptions, 'admission'>,
  policy: string,
): (request: FastifyRequest, reply: FastifyReply, page: ServedFile) => FastifyReply {
  return (request, reply, page) => {
    // A website that has made a name of its own lead here learns nothing of the application.
    noted(request, admission, () => {
      admission.guard.checkHost(request);
    });
    void reply.header('cache-control', 'no-cache').header('content-security-policy', policy);
    return sendFile(request, reply, page);
  };
}

/** Whether somebody has opened the address in a browser. Programs ask for anything, or for JSON. */
function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}
