import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptedEncoding } from '../../../../src/channels/shared/send-file.ts';
import { widgetChannel, type WidgetChannelOptions } from '../../../../src/channels/widget/widget-channel.ts';
import { createCrossOriginGuard } from '../../../../src/channels/shared/cross-origin.ts';
import type { DemoProject } from '../../../../src/wire/demo-project.ts';
import { handleErrors } from '../../../../src/channels/shared/problem-json.ts';
import { clientSettings } from '../../../support/client-settings.ts';
import { testAdmission } from '../../../support/test-admission.ts';

/** A widget of a few words, as the build leaves it. */
function builtWidget(page = '<script src="{{basePath}}/helper/widget.js"></script>'): string {
  const directory = mkdtempSync(join(tmpdir(), 'helper-channel-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: string): void => writeFileSync(join(directory, name), content);
  write('loader.js', 'seen(HELPER_SETTINGS)');
  write('demo.html', page);
  for (const suffix of ['', '.br', '.gz']) write(`panel-A1.js${suffix}`, `panel${suffix}`);
  const texts = 'texts-*-A1.js';
  write('embed.js', 'seen(HELPER_SETTINGS)');
  write(
    'embed.html',
    '<html lang="{{locale}}"><title>{{title}}</title><meta content="width{{viewport}}"><script src="{{basePath}}">',
  );
  const pages = { embed: 'embed.js', embedPage: 'embed.html', demoPage: 'demo.html' };
  const manifest = { loader: 'loader.js', panel: 'panel-A1.js', texts, ...pages, assets: ['panel-A1.js'] };
  write('manifest.json', JSON.stringify(manifest));
  return directory;
}

const project: DemoProject = { appName: 'Desk', actions: [], pages: [], lists: [] };
const demoPage: NonNullable<WidgetChannelOptions['demoPage']> = {
  appName: 'Desk',
  languageTag: 'en',
  demo: { read: () => Promise.resolve(project), reset: () => Promise.resolve(true) },
  admission: {
    guard: createCrossOriginGuard({
      publicUrl: '',
      host: '127.0.0.1',
      hosts: [],
      allowedOrigins: [],
      credentials: false,
    }),
    security: testAdmission().security,
  },
};

async function channel(options: Partial<WidgetChannelOptions> = {}): Promise<FastifyInstance> {
  const app = fastify();
  handleErrors(app);
  await app.register(widgetChannel, {
    basePath: '',
    assetsDirectory: builtWidget(),
    client: clientSettings,
    embed: clientSettings,
    frameAncestors: ["'self'"],
    demoPage,
    ...options,
  });
  onTestFinished(() => app.close());
  return app;
}

describe('GET /helper/widget.js (contract/widget.md#the-script)', () => {
  it('is the loader with this server’s settings inside', async () => {
    const app = await channel({ client: { ...clientSettings, botName: '</script>"\u2028', demo: false } });
    const response = await app.inject('/helper/widget.js?v=1.0.0');
    expect(response.statusCode).toBe(200);
    const seen: unknown[] = [];
    runInNewContext(response.body, { seen: (settings: unknown) => seen.push(JSON.parse(JSON.stringify(settings))) });
    expect(seen[0]).toMatchObject({ panel: 'assets/panel-A1.js', botName: '</script>"\u2028', demo: false });
    expect(seen[0]).toHaveProperty('texts', 'assets/texts-*-A1.js');
  });

  it('any page may load it, and is asked to look for a new one each time', async () => {
    const { headers } = await (await channel()).inject('/helper/widget.js');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('has an ETag that changes with the settings', async () => {
    const app = await channel();
    const first = await app.inject('/helper/widget.js');
    const etag = String(first.headers.etag);
    const again = await app.inject({ url: '/helper/widget.js', headers: { 'if-none-match': `"x", W/${etag}` } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    const other = await channel({ client: { ...clientSettings, theme: 'Dark' } });
    expect((await other.inject('/helper/widget.js')).headers.etag).not.toBe(etag);
    const stale = await other.inject({ url: '/helper/widget.js', headers: { 'if-none-match': etag } });
    expect(stale.statusCode).toBe(200);
  });

  it('comes compressed for who takes it', async () => {
    const app = await channel();
    const plain = (await app.inject('/helper/widget.js')).body;
    const br = await app.inject({ url: '/helper/widget.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain);
    const gzip = await app.inject({ url: '/helper/widget.js', headers: { 'accept-encoding': 'gzip, br;q=0' } });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain);
    expect(gzip.headers.vary).toContain('accept-encoding');
  });

  it('stands under the base path', async () => {
    const app = await channel({ basePath: '/shop' });
    expect((await app.inject('/shop/helper/widget.js')).statusCode).toBe(200);
    expect((await app.inject('/helper/widget.js')).statusCode).toBe(404);
  });

  it('without a built widget the server says what to do', async () => {
    const app = fastify();
    onTestFinished(() => app.close());
    const assetsDirectory = join(tmpdir(), 'nothing-is-here');
    await expect(
      app.register(widgetChannel, {
        basePath: '',
        assetsDirectory,
        client: clientSettings,
        embed: clientSettings,
        frameAncestors: [],
        demoPage: null,
      }),
    ).rejects.toThrow('npm run build');
  });
});

describe('the widget’s chunks (contract/widget.md#the-script)', () => {
  it('never change, so they are kept for ever', async () => {
    const response = await (await channel()).inject('/helper/assets/panel-A1.js');
    expect(response.body).toBe('panel');
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('come as they were compressed at build time', async () => {
    const app = await channel();
    const headers = { 'accept-encoding': 'br' };
    expect((await app.inject({ url: '/helper/assets/panel-A1.js', headers })).body).toBe('panel.br');
  });

  it.each(['manifest.json', 'loader.js', 'panel-B2.js', '..%2f..%2fpackage.json', '%2e%2e%2fmanifest.json'])(
    'nothing else of the disk is served: %s',
    async (name) => {
      const response = await (await channel()).inject(`/helper/assets/${name}`);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ code: 'not_found', status: 404 });
    },
  );

  it.each([
    [undefined, null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.4', 'br'],
    ['br;q=0, gzip;q=0.000', null],
    ['GZIP', 'gzip'],
  ])('Accept-Encoding %j gets %j', (header, expected) => {
    expect(acceptedEncoding(header)).toBe(expected);
  });
});

describe('GET /helper/embed (contract/widget.md#the-script)', () => {
  // proves wire-6-60
  it('is a page that a listed origin may frame, under a policy that allows nothing but this server', async () => {
    const app = await channel({ basePath: '/shop', frameAncestors: ["'self'", 'https://shop.example.com'] });
    const { body, headers } = await app.inject('/shop/helper/embed');
    expect(body).toBe('<html lang="en"><title>Helper AI</title><meta content="width"><script src="/shop">');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'self' https://shop.example.com;");
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
    );
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
  });

  it('an empty list lets nobody frame it', async () => {
    const { headers } = await (await channel({ frameAncestors: [] })).inject('/helper/embed');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('may show the pictures of cards and the assistant’s own', async () => {
    const embed = {
      ...clientSettings,
      imageHosts: ['images.example.com:8443'],
      avatarUrl: 'https://cdn.example.com/a.png',
    };
    const { headers } = await (await channel({ embed })).inject('/helper/embed');
    const sources = "img-src 'self' data: https://images.example.com:8443 https://cdn.example.com;";
    expect(headers['content-security-policy']).toContain(sources);
  });

  it('may show an avatar whose address leaves the scheme to the page', async () => {
    const embed = { ...clientSettings, avatarUrl: '//cdn.example.com/a.png' };
    const { headers } = await (await channel({ embed })).inject('/helper/embed');
    expect(headers['content-security-policy']).toContain("img-src 'self' data: cdn.example.com;");
  });

  it('looks as its own settings say, and the script as those of the script', async () => {
    const embed = { ...clientSettings, botName: 'Ada' };
    const app = await channel({ embed, client: { ...clientSettings, botName: 'Bob' } });
    expect((await app.inject('/helper/embed.js')).body).toContain('"botName":"Ada"');
    expect((await app.inject('/helper/embed')).body).toContain('<title>Ada</title>');
    expect((await app.inject('/helper/widget.js')).body).toContain('"botName":"Bob"');
  });

  it('says its language and the assistant’s name, whatever is in it', async () => {
    const embed = { ...clientSettings, language: 'Polish', botName: '</title><b>&$`' } as const;
    const { body } = await (await channel({ embed })).inject('/helper/embed');
    expect(body).toContain('<html lang="pl"><title>&lt;/title>&lt;b>&amp;$`</title>');
  });

  it('in a WebView goes to the edges of the screen', async () => {
    const { body } = await (await channel()).inject('/helper/embed?host=webview');
    expect(body).toContain('viewport-fit=cover');
  });

  it('its script knows who may frame it, beside the settings of the top level', async () => {
    const response = await (await channel({ frameAncestors: ['https://shop.example.com'] })).inject('/helper/embed.js');
    const seen: unknown[] = [];
    runInNewContext(response.body, { seen: (settings: unknown) => seen.push(JSON.parse(JSON.stringify(settings))) });
    const known = { botName: 'Helper AI', panel: 'assets/panel-A1.js', frameAncestors: ['https://shop.example.com'] };
    expect(seen[0]).toMatchObject(known);
  });
});

describe('GET / (contract/widget.md#the-script)', () => {
  it('is the demo page under a policy that allows nothing but this server', async () => {
    const response = await (await channel({ basePath: '/shop' })).inject('/shop/');
    expect(response.body).toBe('<script src="/shop/helper/widget.js"></script>');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(response.headers['content-security-policy']).not.toContain('unsafe');
  });

  it('has the name of the application and the language, as text and never as HTML', async () => {
    const named = { ...demoPage, appName: '</title><script>"&\'$&', languageTag: 'zh-Hans' };
    const response = await (
      await channel({ demoPage: named, assetsDirectory: builtWidget('{{languageTag}}|{{appName}}') })
    ).inject('/');
    expect(response.body).toBe('zh-Hans|&#60;/title&#62;&#60;script&#62;&#34;&#38;&#39;$&#38;');
  });

  it('is not there when it is off, and neither is what it shows', async () => {
    const app = await channel({ demoPage: null });
    expect((await app.inject('/')).statusCode).toBe(404);
    expect((await app.inject('/helper/demo')).statusCode).toBe(404);
    expect((await app.inject({ method: 'POST', url: '/helper/demo/reset' })).statusCode).toBe(404);
  });

  it('asks for everything below the prefix that the channel is mounted at', async () => {
    const app = fastify();
    onTestFinished(() => app.close());
    const [basePath, frameAncestors] = ['/shop', []];
    const options = {
      basePath,
      assetsDirectory: builtWidget(),
      client: clientSettings,
      embed: clientSettings,
      frameAncestors,
      demoPage,
    };
    await app.register((mounted) => mounted.register(widgetChannel, options), { prefix: '/assist' });
    const { body } = await app.inject('/assist/shop/');
    expect(body).toBe('<script src="/assist/shop/helper/widget.js"></script>');
    expect((await app.inject('/assist/shop/helper/embed')).body).toContain('<script src="/assist/shop">');
  });

  it('reads the project anew each time', async () => {
    const response = await (await channel()).inject('/helper/demo');
    expect(response.json()).toEqual(project);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('starts over, and says when not everything could be put back', async () => {
    const url = '/helper/demo/reset';
    expect((await (await channel()).inject({ method: 'POST', url })).statusCode).toBe(204);
    const failing = { ...demoPage, demo: { ...demoPage.demo, reset: () => Promise.resolve(false) } };
    const response = await (await channel({ demoPage: failing })).inject({ method: 'POST', url });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'internal' });
  });

  it.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { host: 'evil.example' }])(
    'no other website makes a browser read it or start over: %j (contract/doors.md)',
    async (headers) => {
      const resets: string[] = [];
      const demo = { ...demoPage.demo, reset: () => Promise.resolve(resets.push('reset') > 0) };
      const app = await channel({ demoPage: { ...demoPage, demo } });
      expect((await app.inject({ url: '/helper/demo', headers })).statusCode).toBe(403);
      expect((await app.inject({ method: 'POST', url: '/helper/demo/reset', headers })).statusCode).toBe(403);
      expect(resets).toEqual([]);
    },
  );
});
