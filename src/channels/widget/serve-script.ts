import type { FastifyInstance, FastifyReply, FastifySchema } from 'fastify';
import type { ClientSettings } from '../../wire/client-settings.ts';
import { answersHead } from '../shared/answers-head.ts';
import { matchesEtag } from '../shared/etag.ts';
import { etagOf } from '../shared/send-document.ts';
import { sendFile } from '../shared/send-file.ts';
import { compressed } from '../shared/served-file.ts';

export interface ServedScript {
  readonly path: string;
  /** The settings that the script finds as `HELPER_SETTINGS`. */
  readonly settings: ClientSettings;
  readonly script: string;
  /** The description of the route. */
  readonly schema: FastifySchema;
}

/**
 * Serves a script with this server's settings in front. The `v` in `?v=1.0.0` is ignored, because the ETag always changes with the content.
 */
export function serveScript(app: FastifyInstance, { path, settings, script: built, schema }: ServedScript): void {
  const script = `(()=>{const HELPER_SETTINGS=${JSON.stringify(settings)};${built}})();\n`;
  const file = compressed('text/javascript; charset=utf-8', script);
  const etag = etagOf(script);
  app.get(path, { ...answersHead, schema }, (request, reply) => {
    void embeddable(reply).header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding');
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return sendFile(request, reply, file);
  });
}

/** Any page may embed the widget. The server decides what the widget may do when the widget connects (contract/addresses.md#answers). */
export function embeddable(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff');
}
