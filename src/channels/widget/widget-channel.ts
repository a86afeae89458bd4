import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply } from 'fastify';
import type { ClientSettings } from '../../wire/client-settings.ts';
import { matchesEtag } from '../shared/etag.ts';
import { sendProblem } from '../shared/problem-json.ts';
import { type DemoPageOptions, registerDemoPage } from './demo-page.ts';
import { sendFile } from './send-file.ts';
import { compressed, readWidgetFiles, type WidgetFiles } from './widget-files.ts';

export interface WidgetChannelOptions {
  /** `server.basePath`; empty, or begins with a slash and ends without one. */
  readonly basePath: string;
  /** Where `npm run build` has put the widget. */
  readonly assetsDirectory: string;
  /** What pages get to know; the names of the built files are added here. */
  readonly client: Omit<ClientSettings, 'panel' | 'texts'>;
  /** Null when it is not served. */
  readonly demoPage: Omit<DemoPageOptions, 'basePath'> | null;
}

/**
 * `GET /helper/widget.js`, its chunks, and the demo page (wire.md 6). Files are read once, here; a change needs a restart.
 * Registering it fails when the widget was not built.
 */
export const widgetChannel: FastifyPluginCallback<WidgetChannelOptions> = (app, options, done) => {
  try {
    serveWidget(app, options, readWidgetFiles(options.assetsDirectory));
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
};

function serveWidget(app: FastifyInstance, options: WidgetChannelOptions, files: WidgetFiles): void {
  serveLoader(app, options, files);
  app.get<{ Params: { name: string } }>(`${options.basePath}/helper/assets/:name`, (request, reply) => {
    const file = files.assets.get(request.params.name);
    if (file === undefined)
      return sendProblem(reply, 'not_found', 'There is no such file in this version of the widget.');
    // The name is a hash of the content, so the content never changes.
    void embeddable(reply).header('cache-control', 'public, max-age=31536000, immutable');
    return sendFile(request, reply, file);
  });
  const { basePath, demoPage } = options;
  if (demoPage !== null) registerDemoPage(app, { basePath, ...demoPage }, files.demoPage);
}

/** The loader with this server's settings in front. The `v` of `?v=1.0.0` needs no answer: the ETag is never stale. */
function serveLoader(app: FastifyInstance, options: WidgetChannelOptions, files: WidgetFiles): void {
  const settings: ClientSettings = {
    ...options.client,
    panel: `assets/${files.panel}`,
    texts: `assets/${files.texts}`,
  };
  const script = `(()=>{const HELPER_SETTINGS=${JSON.stringify(settings)};${files.loader}})();\n`;
  const file = compressed('text/javascript; charset=utf-8', script);
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 27)}"`;
  app.get(`${options.basePath}/helper/widget.js`, (request, reply) => {
    void embeddable(reply).header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding');
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return sendFile(request, reply, file);
  });
}

/** Any page may embed the widget: what it may do is decided where it talks to the server (wire.md 1). */
function embeddable(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('x-content-type-options', 'nosniff');
}
