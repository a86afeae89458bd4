import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptedEncoding } from '../../../../src/channels/widget/send-file.ts';
import { widgetChannel, type WidgetChannelOptions } from '../../../../src/channels/widget/widget-channel.ts';
import { languages } from '../../../../src/wire/client-settings.ts';
import { clientSettings } from '../../../support/client-settings.ts';

/** A widget of a few words, as the build leaves it. */
function builtWidget(): string {
  const directory = mkdtempSync(join(tmpdir(), 'helper-channel-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const write = (name: string, content: string): void => writeFileSync(join(directory, name), content);
  write('loader.js', 'seen(HELPER_SETTINGS)');
  write('demo.html', '<script src="{{basePath}}/helper/widget.js"></script>');
  for (const suffix of ['', '.br', '.gz']) write(`panel-A1.js${suffix}`, `panel${suffix}`);
  const texts = Object.fromEntries(languages.map((language) => [language, `texts-${language}-A1.js`]));
  const manifest = { loader: 'loader.js', panel: 'panel-A1.js', texts, demoPage: 'demo.html', assets: ['panel-A1.js'] };
  write('manifest.json', JSON.stringify(manifest));
  return directory;
}

async function channel(options: Partial<WidgetChannelOptions> = {}): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(widgetChannel, {
    basePath: '',
    assetsDirectory: builtWidget(),
    client: clientSettings,
    demoPage: true,
    ...options,
  });
  onTestFinished(() => app.close());
  return app;
}

describe('GET /helper/widget.js (wire.md 6)', () => {
  it('is the loader with this server’s settings inside', async () => {
    const app = await channel({ client: { ...clientSettings, botName: '</script>"\u2028', demo: false } });
    const response = await app.inject('/helper/widget.js?v=1.0.0');
    expect(response.statusCode).toBe(200);
    const seen: unknown[] = [];
    runInNewContext(response.body, { seen: (settings: unknown) => seen.push(JSON.parse(JSON.stringify(settings))) });
    expect(seen[0]).toMatchObject({ panel: 'assets/panel-A1.js', botName: '</script>"\u2028', demo: false });
    expect(seen[0]).toHaveProperty('texts.Polish', 'assets/texts-Polish-A1.js');
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
      app.register(widgetChannel, { basePath: '', assetsDirectory, client: clientSettings, demoPage: false }),
    ).rejects.toThrow('npm run build');
  });
});

describe('the widget’s chunks (wire.md 6)', () => {
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

describe('GET / (wire.md 6)', () => {
  it('is the demo page under a policy that allows nothing but this server', async () => {
    const response = await (await channel({ basePath: '/shop' })).inject('/shop/');
    expect(response.body).toBe('<script src="/shop/helper/widget.js"></script>');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(response.headers['content-security-policy']).not.toContain('unsafe');
  });

  it('is not there when it is off', async () => {
    const app = await channel({ demoPage: false });
    expect((await app.inject('/')).statusCode).toBe(404);
    expect((await app.inject('/helper/demo/orders')).statusCode).toBe(404);
  });

  it('shows what the sample plugin has', async () => {
    const app = await channel({ demoData: () => Promise.resolve({ orders: [{ orderNumber: 1 }] }) });
    const response = await app.inject('/helper/demo/orders');
    expect(response.json()).toEqual({ orders: [{ orderNumber: 1 }] });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('says that the sample plugin is not loaded', async () => {
    const response = await (await channel()).inject('/helper/demo/orders');
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
  });
});
