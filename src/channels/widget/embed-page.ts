import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { type ClientSettings, languageTags } from '../../wire/client-settings.ts';
import type { EmbedSettings } from '../../wire/embed-settings.ts';
import { answersHead } from '../shared/answers-head.ts';
import { sendFile } from '../shared/send-file.ts';
import { compressed, type ServedFile } from '../shared/served-file.ts';
import { serveScript } from './serve-script.ts';
import { embedSchema, embedScriptSchema } from './widget-schemas.ts';

export interface EmbedPageOptions {
  readonly basePath: string;
  /** What the page gets to know: the top level of the configuration. */
  readonly client: ClientSettings;
  /** `endpoints.embed.frameAncestors`: exact origins, and `'self'`. */
  readonly frameAncestors: readonly string[];
}

/** The built page and its script, before the settings are filled in. */
export interface EmbedFiles {
  readonly page: string;
  readonly script: string;
}

/**
 * `GET /helper/embed`: a page with only the open chat (contract/embed.md). It is for a frame or, with `?host=webview`, for the WebView of
 * an application. Browsers show it only in frames of the listed origins.
 */
export function registerEmbedPage(app: FastifyInstance, options: EmbedPageOptions, files: EmbedFiles): void {
  const { basePath, client, frameAncestors } = options;
  const settings: EmbedSettings = { ...client, frameAncestors };
  serveScript(app, { path: `${basePath}/helper/embed.js`, settings, script: files.script, schema: embedScriptSchema });
  // The path that browsers use: the channel may be mounted below a prefix.
  const asked = { ...options, basePath: `${app.prefix}${basePath}` };
  const pages = {
    framed: pageWith(asked, files.page, ''),
    // The page fills the whole screen, and the keyboard makes the page smaller and does not cover it.
    webView: pageWith(asked, files.page, ', viewport-fit=cover, interactive-widget=resizes-content'),
  };
  const policy = contentSecurityPolicy(client, frameAncestors);
  app.get<EmbedRequest>(
    `${basePath}/helper/embed`,
    { ...answersHead, schema: embedSchema, onSend: withoutFrameOptions },
    (request, reply) => {
      void reply.header('cache-control', 'no-cache').header('content-security-policy', policy);
      return sendFile(request, reply, request.query.host === 'webview' ? pages.webView : pages.framed);
    },
  );
}

interface EmbedRequest {
  readonly Querystring: { readonly host?: unknown };
}

/** The older header cannot list several origins, so only the policy says who may frame the page. */
// eslint-disable-next-line max-params -- Fastify's hook has four
const withoutFrameOptions: onSendHookHandler = (_request, reply, payload, next) => {
  reply.removeHeader('x-frame-options');
  next(null, payload);
};

function pageWith({ basePath, client }: EmbedPageOptions, template: string, viewport: string): ServedFile {
  const values: Readonly<Record<string, string>> = {
    basePath,
    viewport,
    locale: languageTags[client.language ?? 'English'],
    title: escapeText(client.botName),
  };
  const page = template.replaceAll(/\{\{(\w+)\}\}/g, (_mark, name: string) => values[name] ?? '');
  return compressed('text/html; charset=utf-8', page);
}

/** A policy that allows only what the chat needs: no text runs as code or style, and only pictures are loaded from other hosts. */
function contentSecurityPolicy(client: ClientSettings, frameAncestors: readonly string[]): string {
  const images = client.imageHosts.map((host) => `https://${host}`);
  const pictures = [...images, ...sourceOf(client.avatarUrl ?? '')].map((source) => ` ${source}`).join('');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${pictures}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The source of a picture for the policy. Empty for a picture of this server and for one inside a data address. */
function sourceOf(address: string): readonly string[] {
  // An address without a scheme takes the scheme of the page. A source without a scheme does the same.
  if (address.startsWith('//') && URL.canParse(`https:${address}`)) return [new URL(`https:${address}`).host];
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin === 'null' ? [] : [origin];
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
