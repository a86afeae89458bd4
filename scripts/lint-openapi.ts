/**
 * Lints the OpenAPI documents of two configurations for `npm run check`: the shipped one, and one where users sign in. Prints the faults
 * and exits with 1, or prints nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { buildServer } from '../src/app.ts';
import { loadSettings } from '../src/config/load-settings.ts';
import { build } from './build.ts';

const file = join(import.meta.dirname, '../config/helper.yaml');

const configurations: readonly Readonly<Record<string, string>>[] = [
  {},
  {
    HELPER__AUTH__JWT__SECRET: 'a secret that is long enough for HS256',
    HELPER__AUTH__JWT__COOKIE: 'session',
    HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
    HELPER__ENDPOINTS__METRICS__TOKEN: 'a-token-for-whoever-scrapes',
    HELPER__SERVER__SECURITYCONTACT: 'mailto:security@help.test',
  },
];

/** The document of a server, which listens only meanwhile. */
async function documentOf(overrides: Readonly<Record<string, string>>): Promise<string> {
  const environment = {
    HELPER__SERVER__HOST: '127.0.0.1',
    HELPER__SERVER__PORT: '0',
    HELPER__STORAGE__TYPE: 'memory',
    HELPER__SERVER__SHUTDOWNGRACE: '0',
    ...overrides,
  };
  const server = await buildServer(loadSettings({ file, environment }).settings, { silent: true });
  try {
    const { url } = await server.listen();
    return await (await fetch(`${url}/helper/openapi.json`)).text();
  } finally {
    await server.close();
  }
}

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // Probes and files have no client errors of their own.
    'operation-4xx-response': 'off',
  },
});

// The servers serve the widget, so it must be built. An old one does as well: the document does not depend on what is in it.
if (!existsSync(join(import.meta.dirname, '../dist/.built'))) await build({ types: false });
for (const overrides of configurations) {
  const source = await documentOf(overrides);
  const document = makeDocumentFromString(source, 'openapi.json');
  const problems = await lintDocument({ document, config, externalRefResolver: new BaseResolver(config.resolve) });
  for (const { ruleId, message, location } of problems) {
    console.error(`${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})`);
    process.exitCode = 1;
  }
}
