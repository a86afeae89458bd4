import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepPublicTypes } from '../../../scripts/public-types.ts';

it('keeps the declarations that an export of the package reaches, and no other', () => {
  const directory = mkdtempSync(join(tmpdir(), 'helper-types-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  for (const folder of ['app', 'core', 'core/deep', 'widget', 'wire']) mkdirSync(join(directory, folder));
  const files = {
    'index.d.ts': "export { open } from './app/open.ts';\nimport type { Server } from 'fastify';",
    'app/open.d.ts': "export declare function open(): import('../wire/events.ts').Events;",
    'app/inside.d.ts': "export { hidden } from '../core/deep/hidden.ts';",
    'core/deep/hidden.d.ts': 'export declare const hidden = 1;',
    'widget/page-types.d.ts': "export type { PageAction } from './page-actions.ts';",
    'widget/page-actions.d.ts': 'export interface PageAction {}',
    'widget/panel.d.ts': 'export {};',
    'wire/events.d.ts': "export type { Events } from '../index.ts';",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  keepPublicTypes(directory, ['index.d.ts', 'widget/page-types.d.ts']);
  const left = Object.keys(files).filter((name) => existsSync(join(directory, name)));
  expect(left).toEqual([
    ...['index.d.ts', 'app/open.d.ts', 'widget/page-types.d.ts', 'widget/page-actions.d.ts', 'wire/events.d.ts'],
  ]);
  expect(existsSync(join(directory, 'core'))).toBe(false);
});
