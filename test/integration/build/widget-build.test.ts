import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWidget } from '../../../scripts/build-widget.ts';
import { widgetChannel } from '../../../src/channels/widget/widget-channel.ts';
import { languages } from '../../../src/wire/client-settings.ts';
import { clientSettings } from '../../support/client-settings.ts';

const root = join(import.meta.dirname, '../../..');
const outdir = mkdtempSync(join(tmpdir(), 'helper-widget-'));
const kilobyte = 1024;

function built(pattern: RegExp): Buffer {
  const [name, ...others] = readdirSync(outdir).filter((file) => pattern.test(file));
  if (name === undefined || others.length > 0)
    throw new Error(`${String(pattern)} names ${String(others.length)} more`);
  return readFileSync(join(outdir, name));
}

function gzipped(pattern: RegExp): number {
  return gzipSync(built(pattern), { level: 9 }).byteLength;
}

function sources(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|html)$/.test(entry.name))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));
}

describe('the built widget', () => {
  beforeAll(() => buildWidget({ root, outdir }));
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  it('loads no more than 3 KB before somebody wants to talk, the server’s settings included', async () => {
    const app = fastify();
    await app.register(widgetChannel, {
      basePath: '',
      assetsDirectory: outdir,
      client: clientSettings,
      embed: clientSettings,
      frameAncestors: ["'self'"],
      demoPage: null,
    });
    const { rawPayload } = await app.inject({ url: '/helper/widget.js', headers: { 'accept-encoding': 'br' } });
    expect(rawPayload.byteLength).toBeLessThanOrEqual(3 * kilobyte);
    await app.close();
  });

  it('loads no more than 6.25 KB for the bridge of the embed page, beside the panel', async () => {
    const app = fastify();
    const [basePath, client] = ['', clientSettings];
    await app.register(widgetChannel, {
      basePath,
      assetsDirectory: outdir,
      client,
      embed: client,
      frameAncestors: [],
      demoPage: null,
    });
    const { rawPayload } = await app.inject({ url: '/helper/embed.js', headers: { 'accept-encoding': 'br' } });
    expect(rawPayload.byteLength).toBeLessThanOrEqual(6.25 * kilobyte);
    await app.close();
  });

  it('is inside its budget', () => {
    expect(built(/^panel-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(38 * kilobyte);
    expect(gzipped(/^cards-\w+\.js$/)).toBeLessThanOrEqual(7.25 * kilobyte);
    expect(gzipped(/^edit-\w+\.js$/)).toBeLessThanOrEqual(3 * kilobyte);
    // The sizes are those of the compressed files. Parts that few users need must also stay small.
    expect(built(/^tour-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(3.75 * kilobyte);
    expect(built(/^voice-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(3 * kilobyte);
    expect(built(/^beside-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(7.75 * kilobyte);
    expect(built(/^answer-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(4.5 * kilobyte);
    expect(built(/^room-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(3.75 * kilobyte);
    expect(built(/^menu-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(3.25 * kilobyte);
    expect(built(/^webmcp-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(kilobyte);
    // Two libraries are most of these. A page fetches them with the first reply that has code or a formula.
    expect(built(/^code-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(34 * kilobyte);
    expect(built(/^math-\w+\.js\.br$/).byteLength).toBeLessThanOrEqual(52 * kilobyte);
    expect(gzipped(/^images-\w+\.js$/)).toBeLessThanOrEqual(3 * kilobyte);
    expect(gzipped(/^files-\w+\.js$/)).toBeLessThanOrEqual(3.75 * kilobyte);
    expect(gzipped(/^fallback-\w+\.js$/)).toBeLessThanOrEqual(2 * kilobyte);
    for (const language of languages) {
      expect(gzipped(new RegExp(`^texts-${language.toLowerCase()}-\\w+\\.js$`))).toBeLessThanOrEqual(3.25 * kilobyte);
    }
  });

  it('makes the elements of a chunk with the Preact of the panel that loads it', () => {
    const [, panel = ''] = /from ?["']\.\/([^"']+)["']/.exec(built(/^beside-\w+\.js$/).toString()) ?? [];
    expect(readdirSync(outdir)).toContain(panel);
    const [, beside = ''] = /["'](beside-[^"']+)["']/.exec(built(/^panel-\w+\.js$/).toString()) ?? [];
    expect(readdirSync(outdir)).toContain(beside);
  });

  it('is compressed once, here', () => {
    const scripts = readdirSync(outdir).filter((file) => /-\w+\.(?:js|css)$/.test(file));
    for (const name of scripts) {
      const plain = readFileSync(join(outdir, name));
      expect(gunzipSync(readFileSync(join(outdir, `${name}.gz`))).equals(plain)).toBe(true);
      expect(brotliDecompressSync(readFileSync(join(outdir, `${name}.br`))).equals(plain)).toBe(true);
    }
  });

  it('reads no code from text', () => {
    const built = readdirSync(outdir).filter((file) => file.endsWith('.js'));
    for (const name of built) {
      expect(readFileSync(join(outdir, name), 'utf8')).not.toMatch(/\beval\(|new Function\b|document\.write/);
    }
  });

  it('has no HTML strings, no code from text and no style attributes in its source', () => {
    const forbidden =
      /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|\beval\b|new Function|dangerouslySet|\bstyle=|\bon\w+="/;
    const found = sources(join(root, 'src/widget')).filter(({ text }) => forbidden.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });
});
