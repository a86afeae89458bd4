// How the documentation looks as a site. scripts/site.ts copies the pages into `pages` first, and writes the menu of their map.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, '../pages/menu.json'), 'utf8'));

export default defineConfig({
  title: 'Helper',
  description: 'An assistant for any web application that answers, acts and asks first.',
  lang: 'en',
  srcDir: 'pages',
  outDir: '../../site',
  // A reader's own server is no page of the site.
  ignoreDeadLinks: 'localhostLinks',
  cleanUrls: false,
  lastUpdated: false,
  markdown: { languageAlias: { promql: 'sql' } },
  vite: { publicDir: false, build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    nav: [
      { text: 'Quick start', link: '/docs/start/quick-start' },
      { text: 'Map', link: '/docs/' },
      { text: 'Settings', link: '/docs/reference/configuration' },
    ],
    outline: [2, 3],
  },
});
