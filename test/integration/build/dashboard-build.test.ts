import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../scripts/build-dashboard.ts';
import { languages } from '../../../src/wire/client-settings.ts';

const root = join(import.meta.dirname, '../../..');
const outdir = mkdtempSync(join(tmpdir(), 'helper-dashboard-'));

const gzipped = (pattern: RegExp): number =>
  readdirSync(outdir)
    .filter((file) => pattern.test(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(outdir, file)), { level: 9 }).byteLength, 0);

describe('the built dashboard', () => {
  beforeAll(() => buildDashboard({ root, outdir }));
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  it.each(languages)('is no more than 23 KB in %s', (language) => {
    const texts = new RegExp(`^texts-${language.toLowerCase()}-[0-9A-F]{8}\\.js$`);
    expect(gzipped(texts)).toBeGreaterThan(500);
    expect(gzipped(/^dashboard(-[0-9A-F]{8}\.(js|css)|\.html)$/) + gzipped(texts)).toBeLessThanOrEqual(23 * 1024);
  });

  it('needs no style and no code but its own files', () => {
    const page = readFileSync(join(outdir, 'dashboard.html'), 'utf8');
    expect(page).not.toMatch(/<style|\s(style|on\w+)=|<script>/);
    const script = readdirSync(outdir).find((file) => /^dashboard-.*\.js$/.test(file)) ?? '';
    expect(readFileSync(join(outdir, script), 'utf8')).not.toMatch(/\beval\(|new Function/);
  });
});
