import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';

const root = join(import.meta.dirname, '..', '..');

const configuration = `appName: Desk
helperLevel: Standard
chatClient: demo
models: { demo: { provider: demo } }
actions: { plugins: [plugins] }
hitlMode: Native
confirmationTimeout: 0
killSwitch: { writes: false }
endpoints: { metrics: { token: '\${file:metrics.token}' } }
storage: { path: data }
`;

const slowPlugin = `export default {
  name: 'books',
  actions: [{
    name: 'close_books', title: 'Close the books', description: 'Closes the books of the month.',
    parameters: { type: 'object', properties: {} },
    execute: (_args, { log }) => { log.info({}, 'closing the books'); return new Promise((resolve) => setTimeout(resolve, 60_000)); },
  }],
};
`;

/** Puts into `folder` what the operator has in the morning: configuration, plugins, rules, and the storage that version 1.0 left. */
export function prepareProject(folder: string, port: number): void {
  mkdirSync(join(folder, 'plugins/books'), { recursive: true });
  cpSync(join(root, 'plugins/order-desk'), join(folder, 'plugins/order-desk'), { recursive: true });
  cpSync(join(root, 'charts/helper/monitoring/rules.yaml'), join(folder, 'rules.yaml'));
  writeFileSync(join(folder, 'plugins/books/index.js'), slowPlugin);
  writeFileSync(join(folder, 'helper.yaml'), `${configuration}server: { port: ${String(port)} }\n`);
  writeFileSync(join(folder, 'metrics.token'), 'first-token\n');
  storeAsVersion1(join(folder, 'data'));
}

/** Stores what version 1.0 stored while two questions were open. Its times, in milliseconds, are moved to an hour ago. */
function storeAsVersion1(folder: string): void {
  const stored = readFileSync(join(root, 'test/integration/fixtures/storage-1.0.sql'), 'utf8');
  const times = stored.match(/\b17953\d{8}\b/g) ?? [];
  const shift = Date.now() - 3_600_000 - Math.max(...times.map(Number));
  mkdirSync(folder, { mode: 0o700 });
  const database = new SqliteDatabase(join(folder, 'helper.db'));
  database.exec(stored.replaceAll(/\b17953\d{8}\b/g, (time) => String(Number(time) + shift)));
  database.close();
}
