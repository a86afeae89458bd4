import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { ClientSettings } from '../../wire/client-settings.ts';
import { answersHead } from '../shared/answers-head.ts';
import { sendProblem } from '../shared/problem-json.ts';
import { sendFile } from '../shared/send-file.ts';
import { type DemoPageOptions, registerDemoPage } from './demo-page.ts';
import { registerEmbedPage } from './embed-page.ts';
import { embeddable, serveScript } from './serve-script.ts';
import { assetSchema, scriptSchema } from './widget-schemas.ts';
import { readWidgetFiles, type WidgetFiles } from './widget-files.ts';

export interface WidgetChannelOptions {
  /** `server.basePath`; empty, or begins with a slash and ends without one. */
  readonly basePath: string;
  /** Where `npm run build` has put the widget. */
  readonly assetsDirectory: string;
  /** The settings for pages with the script. The channel adds the names of the built files. */
  readonly client: Omit<ClientSettings, 'panel' | 'texts'>;
  /** The settings for the embed page. */
  readonly embed: Omit<ClientSettings, 'panel' | 'texts'>;
  /** `endpoints.embed.frameAncestors`: who may frame the embed page. */
  readonly frameAncestors: readonly string[];
  /** Null when the demo page is not served. */
  readonly demoPage: Omit<DemoPageOptions, 'basePath'> | null;
}

/**
 * `GET /helper/widget.js`, its chunks, the embed page, and the demo page (contract/widget.md#the-script). Files are read once, here; a change needs a restart.
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
  // The names of the files of this build.
  const chunks = { panel: `assets/${files.panel}`, texts: `assets/${files.texts}` };
  const client = { ...options.client, ...chunks };
  const embed = { ...options.embed, ...chunks };
  const { basePath, frameAncestors, demoPage } = options;
  serveScript(app, {
    path: `${basePath}/helper/widget.js`,
    settings: client,
    script: files.loader,
    schema: scriptSchema,
  });
  registerEmbedPage(app, { basePath, client: embed, frameAncestors }, files.embed);
  app.get<{ Params: { name: string } }>(
    `${basePath}/helper/assets/:name`,
    { ...answersHead, schema: assetSchema },
    (request, reply) => {
      const file = files.assets.get(request.params.name);
      if (file === undefined)
        return sendProblem(reply, 'not_found', 'There is no such file in this version of the widget.');
      // The name is a hash of the content, so the content never changes.
      void embeddable(reply).header('cache-control', 'public, max-age=31536000, immutable');
      return sendFile(request, reply, file);
    },
  );
  if (demoPage !== null) registerDemoPage(app, { basePath, ...demoPage }, files.demoPage);
}
