import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { AdminMetrics } from '../../src/wire/admin-metrics.ts';
import { realServer } from '../support/real-server.ts';
import { openSse } from '../support/sse-client.ts';

const files = {
  'returns.markdown':
    '# Returns\n\nGoods can be returned within 30 days.\n\n## Postage\n\nThe customer pays the postage of returns.\n',
  'salaries.markdown': '---\nrequiredRoles: [Boss]\n---\n# Salaries\n\nThe salary of the manager is 5,000.\n',
  'plan.dwg': 'AC1032',
  'broken.markdown': '---\nrequiredRoles: 7\n---\n# Broken\n\nNobody knows for whom the returns are.\n',
};

/** A server with a folder of documents and with storage on disk. */
async function start(useRag = true) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-served-documents-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const documents = join(folder, 'documents');
  mkdirSync(documents);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(documents, name), text);
  const config = join(folder, 'helper.yaml');
  const settings = {
    appName: 'Shop',
    chatClient: 'demo',
    models: { demo: { provider: 'demo' } },
    actions: 'none',
    useRag,
    dashboardRole: '',
    ragSources: [{ type: 'files', name: 'handbook', path: 'documents', refresh: '200ms' }],
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settings));
  const storage = { HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: join(folder, 'data') };
  const { server, url } = await realServer(storage, config);
  const check = async (): Promise<string | undefined> => {
    const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { readonly checks: readonly Check[] };
    return checks.find(({ name }) => name === 'documents:handbook')?.state;
  };
  const isWhole = () => vi.waitFor(async () => expect(await check()).toBe('ok'), { interval: 50 });
  const changeTo = (changed: object): void => {
    writeFileSync(config, JSON.stringify({ ...settings, ...changed }));
  };
  const run = async (command: string, ...words: readonly string[]): Promise<string> => {
    let text = '';
    const write = (part: string): void => {
      text += part;
    };
    await runCommand([command, '--config', config, ...words], {
      environment: storage,
      workingDirectory: folder,
      invokedAs: 'helper',
      write,
      writeError: write,
      input: new PassThrough(),
      output: new PassThrough(),
      untilStopped: () => new AbortController().signal,
      onHangup: () => undefined,
      onUnhandledRejection: () => undefined,
    });
    return text;
  };
  const knowledge = (...words: readonly string[]): Promise<string> => run('knowledge', ...words);
  const socket = join(folder, 'data', 'helper.sock');
  return { server, url, documents, socket, check, isWhole, knowledge, run, changeTo };
}

interface Check {
  readonly name: string;
  readonly state: string;
}

async function answerTo(url: string, message: string): Promise<unknown> {
  const chat = await openSse(`${url}/helper/chat`, { body: { message } });
  return (await chat.next('end')).data?.['text'];
}

describe('a folder of documents in the server (contract/knowledge.md#sources)', () => {
  // proves service-2.11-23, service-2.11-24
  it('is read in the background, and answers with a citation once it is', async () => {
    const { url, isWhole } = await start();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await isWhole();
    expect(await answerTo(url, 'Can goods be returned?')).toBe('Goods can be returned within 30 days. [1]');
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('helperagent_knowledge_documents{source="handbook"} 2');
    expect(metrics).toContain('helperagent_knowledge_faults{source="handbook"} 1');
    expect(metrics).toContain('helperagent_knowledge_passed_over{source="handbook"} 1');
  });

  // proves service-2.15-49
  it('is shown on the dashboard with the files that are not read', async () => {
    const { url, isWhole } = await start();
    await isWhole();
    const { live } = (await (await fetch(`${url}/helper/admin/metrics`)).json()) as AdminMetrics;
    expect(live.folders).toEqual([
      {
        ...{ source: 'handbook', documents: 2, leftOut: 1, passedOver: 1 },
        files: [
          { file: 'broken.markdown', reason: expect.stringContaining('requiredRoles') as unknown },
          { file: 'plan.dwg', reason: expect.stringContaining('kind') as unknown },
        ],
      },
    ]);
  });

  it('answers nobody from what they may not read', async () => {
    const { url, isWhole } = await start();
    await isWhole();
    expect(await answerTo(url, 'What is the salary of the manager?')).not.toContain('5,000');
  });

  // proves service-2.11-24
  it('is degraded on /readyz while it cannot be read, and the rest goes on', async () => {
    const { url, documents, check, isWhole } = await start();
    await isWhole();
    renameSync(documents, `${documents}-away`);
    await vi.waitFor(async () => expect(await check()).toBe('degraded'), { interval: 50 });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    renameSync(`${documents}-away`, documents);
    await isWhole();
  });
});

describe('useRag (contract/operations.md#reload)', () => {
  it('is taken by a reload: folders are read from then on', async () => {
    const { url, check, isWhole, run, changeTo } = await start(false);
    expect(await check()).toBeUndefined();
    changeTo({ useRag: true });
    await run('reload');
    await isWhole();
    expect(await answerTo(url, 'Can goods be returned?')).toContain('30 days');
  });
});

describe('helper knowledge (contract/knowledge.md#command)', () => {
  // proves service-2.11-25
  it('lists sources, counts and files that are left out', async () => {
    const { isWhole, knowledge } = await start();
    await isWhole();
    const text = await knowledge();
    expect(text).toContain(
      'handbook (a folder)\n  ready: 2 documents in 3 parts\n  left out: 1\n    broken.markdown: it ',
    );
  });

  // proves service-2.11-26
  it('says what a question finds for whom, and why', async () => {
    const { isWhole, knowledge, run, changeTo } = await start();
    await isWhole();
    const asked = ['--query', 'What is the salary of the manager?'];
    expect(await knowledge(...asked)).toContain('10.0  Salaries (salaries.markdown) [may not be read]');
    expect(await knowledge(...asked, '--as', 'Boss')).toContain('10.0  Salaries (salaries.markdown)\n');
    expect(await knowledge('--query', 'Is there a dog?')).toContain('nothing is found');
    changeTo({ ragMinScore: 11 });
    await run('reload');
    expect(await knowledge(...asked, '--as', 'Boss')).toContain(
      'threshold 11 (ragMinScore)\n    10.0  Salaries (salaries.markdown) [too little]',
    );
  });

  // proves service-2.11-45
  it('says that useRag is off, with a server and without one', async () => {
    const { server, knowledge } = await start(false);
    const off = 'useRag is off: documents are not looked up. Set useRag: true.\nhandbook (a folder)\n';
    const asked = ['--query', 'Can goods be returned?'] as const;
    expect([await knowledge(), await knowledge(...asked)]).toEqual([off, off]);
    await server.close();
    expect([await knowledge(), await knowledge(...asked)]).toEqual([off, off]);
  });

  // proves service-2.11-27
  it('reads the folders itself where no server runs', async () => {
    const { server, documents, knowledge, isWhole } = await start();
    await isWhole();
    const asked = ['--query', 'Can goods be returned?'] as const;
    const told = await knowledge(...asked);
    await server.close();
    expect(await knowledge(...asked)).toBe(told);
    writeFileSync(join(documents, 'opening.markdown'), '# Opening hours\n\nThe shop opens at nine.\n');
    expect(await knowledge('--query', 'When does the shop open?')).toContain('Opening hours (opening.markdown)');
  });

  // proves service-2.11-27
  it('leaves the folder to the server that has it', async () => {
    const { knowledge, socket } = await start();
    rmSync(socket);
    expect(await knowledge()).toMatch(/^nothing is known: .*in use/);
  });
});
