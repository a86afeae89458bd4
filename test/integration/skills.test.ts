import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHelper } from '../../src/index.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { listOf } from '../support/kept-conversations.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedConfiguration, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { folderOf, skillText, type TestFolder } from '../support/skill-folder.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const manager = await makeToken({ sub: 'ann', role: 'Manager' });
const nobody = await makeToken({ sub: 'bob' });
const load = (skillName: string): ModelScript => calling({ name: 'load_skill', arguments: { skillName } });
const readFile = (skillName: string, resourceName: string): ModelScript =>
  calling({ name: 'read_skill_resource', arguments: { skillName, resourceName } });

const emptyPlugin = `export default { name: 'test' };`;

interface Started extends ScriptedServer {
  readonly folder: TestFolder;
  /** Asks over server-sent events. Resolves with what the model got. The last request comes first. */
  readonly ask: (token?: string) => Promise<string>;
}

async function start(options: {
  readonly scripts?: readonly ModelScript[];
  readonly files?: Readonly<Record<string, string>>;
  readonly plugin?: string;
  readonly settings?: object;
}): Promise<Started> {
  const folder = folderOf(options.files ?? { 'refunds/SKILL.md': skillText('refunds') });
  const server = await scriptedServer({
    scripts: options.scripts ?? [],
    plugin: options.plugin ?? emptyPlugin,
    settings: {
      enableSkills: true,
      skillsFolder: folder.path,
      auth: { jwt: { secret: tokenSecret } },
      ...options.settings,
    },
  });
  const ask = async (token?: string): Promise<string> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const chat = await openSse(`${server.url}/helper/chat`, { body: { message: 'Refund it.' }, headers });
    await chat.next('end');
    return JSON.stringify(server.model.requests.at(-1)?.body);
  };
  return { ...server, folder, ask };
}

async function connect(url: string, token: string): Promise<HubConnection> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, { accessTokenFactory: () => token })
    .configureLogging(LogLevel.None)
    .build();
  await hub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

const namesIn = (sent: string): readonly string[] => [...sent.matchAll(/<name>([^<]*)/g)].map(([, name = '']) => name);

describe('a model (contract/skills.md#tools)', () => {
  // proves service-2.12-09, service-2.12-12
  it('is told of a skill, loads it, and reads a file that it names', async () => {
    const { model, ask } = await start({
      scripts: [load('refunds'), readFile('refunds', 'limits.txt'), saying('Fifty.')],
      files: {
        'refunds/SKILL.md': skillText('refunds', [], 'Read limits.txt first.'),
        'refunds/limits.txt': 'Up to 50.',
      },
    });
    const last = await ask();
    const [first, second] = model.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('<skill><name>refunds</name><description>Does refunds.</description></skill>');
    expect(first).toContain('"enum":["refunds"]');
    expect(first).not.toContain('Read limits.txt first.');
    expect(second).toContain(
      String.raw`Instructions of the skill refunds:\n\nRead limits.txt first.\n\nFiles of this skill, for read_skill_resource:\n- limits.txt`,
    );
    expect(last).toContain('[succeeded] Up to 50.');
  });

  // proves service-2.12-11
  it.each<[string, ModelScript, string]>([
    ['an unknown skill', load('other'), "Error: Skill 'other' not found."],
    ['a file of an unknown skill', readFile('other', 'limits.txt'), "Error: Skill 'other' not found."],
    ['an unknown file', readFile('refunds', 'x.txt'), "Error: Resource 'x.txt' not found in skill 'refunds'."],
    ['a file outside', readFile('refunds', '../../x'), "Error: Resource '../../x' not found in skill 'refunds'."],
    ['no name', calling({ name: 'load_skill', arguments: {} }), 'skillName must be a text'],
  ])('that asks for %s is told so', async (_, script, told) => {
    const { ask } = await start({ scripts: [script, saying('Sorry.')] });
    expect(await ask()).toContain(told);
  });

  // proves service-2.12-12
  it('is asked about before a skill is loaded, where requiresApproval says so', async () => {
    const { url } = await start({ scripts: [load('refunds')], settings: { requiresApproval: ['load_skill'] } });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Refund it.' } });
    expect((await chat.next('confirmation')).data).toMatchObject({ action: 'load_skill' });
    chat.close();
  });

  // proves service-2.12-10
  it('is told of no skill, and has no tool for them, while enableSkills is off', async () => {
    const { ask } = await start({ settings: { enableSkills: false } });
    const sent = await ask();
    expect(sent).not.toContain('available_skills');
    expect(sent).not.toContain('load_skill');
  });
});

describe('a user without the role of a skill (contract/skills.md#access)', () => {
  const files = {
    'refunds/SKILL.md': skillText('refunds'),
    'bribes/SKILL.md': skillText('bribes', ['metadata: { helper.requiredRoles: Manager }'], 'SECRET'),
    'bribes/prices.txt': 'SECRET',
  };

  // proves service-2.12-15
  it.each<[string, string | undefined]>([
    ['signed in', nobody],
    ['anonymous', undefined],
  ])('who is %s neither sees nor loads it, nor reads its files', async (_, token) => {
    const { ask, model } = await start({
      scripts: [load('bribes'), readFile('bribes', 'prices.txt'), saying('No.')],
      files,
    });
    await ask(token);
    const all = model.requests.map(({ body }) => JSON.stringify(body));
    expect(namesIn(all[0] ?? '')).toEqual(['refunds']);
    expect(all[0]).not.toContain('bribes');
    expect(all.join('')).not.toContain('SECRET');
    expect(all[1]).toContain("Error: Skill 'bribes' not found.");
  });

  // proves service-2.12-22
  it('goes on without what was loaded of a skill whose role it has lost', async () => {
    const { url, model } = await start({
      scripts: [load('refunds'), readFile('refunds', 'limits.txt'), load('orders'), saying('Done.'), saying('Yes.')],
      files: {
        'refunds/SKILL.md': skillText('refunds', ['metadata:', '  helper.requiredRoles: Manager'], 'Read limits.txt.'),
        'refunds/limits.txt': 'Up to 50.',
        'orders/SKILL.md': skillText('orders', [], 'Look at orders first.'),
      },
      settings: { chatHistoryProvider: 'storage' },
    });
    await (await connect(url, manager)).invoke('SendMessage', 'Refund it.');
    const [{ id } = { id: '' }] = await listOf(url, manager);
    const later = await connect(url, await makeToken({ sub: 'ann' }));
    await later.invoke('OpenConversation', id);
    await later.invoke('SendMessage', 'And now?');
    const sent = JSON.stringify(model.requests.at(-1)?.body['messages']);
    expect(sent).not.toMatch(/Read limits\.txt|Up to 50/);
    expect(sent.match(/a skill that this user may not use any more/g)).toHaveLength(2);
    expect(sent).toContain('Look at orders first.');
    // With the role it is there again.
    const again = await connect(url, manager);
    model.script(saying('Yes.'));
    await again.invoke('OpenConversation', id);
    await again.invoke('SendMessage', 'And now?');
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('Up to 50.');
  });

  // proves service-2.12-15
  it('is told apart from the one who has it, who loads it over the hub and in the same process', async () => {
    const { url, model, folder } = await start({ scripts: [load('bribes'), saying('Yes.'), saying('No.')], files });
    await (await connect(url, manager)).invoke('SendMessage', 'Bribe them.');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('SECRET');
    await (await connect(url, nobody)).invoke('SendMessage', 'Bribe them.');
    expect(namesIn(JSON.stringify(model.requests[2]?.body))).toEqual(['refunds']);
    const inside = await scriptedConfiguration({
      scripts: [load('bribes'), saying('Yes.'), load('bribes')],
      plugin: emptyPlugin,
      settings: { enableSkills: true, skillsFolder: folder.path, storage: { type: 'memory' } },
    });
    const helper = await createHelper(inside.configuration);
    onTestFinished(() => helper.close());
    const boss = await helper.session({ user: { id: 'ann', roles: ['Manager'] } });
    for await (const event of boss.send('Bribe them.')) expect(event).not.toMatchObject({ status: 'failed' });
    expect(JSON.stringify(inside.model.requests[1]?.body)).toContain('SECRET');
    const clerk = await helper.session({ user: { id: 'bob' } });
    for await (const event of clerk.send('Bribe them.')) expect(JSON.stringify(event)).not.toContain('SECRET');
    expect(JSON.stringify(inside.model.requests[3]?.body)).toContain("Error: Skill 'bribes' not found.");
  });

  // proves service-2.12-14
  it('has the skills of a tenant only as one of its users', async () => {
    const { ask, model } = await start({
      files: { 'north/SKILL.md': skillText('north', ['metadata: { helper.tenants: nor* }']) },
      settings: { tenancy: { claim: 'org' } },
    });
    expect(namesIn(await ask(await makeToken({ sub: 'ann', org: 'north' })))).toEqual(['north']);
    expect(namesIn(await ask(await makeToken({ sub: 'ann', org: 'south' })))).toEqual([]);
    expect(namesIn(await ask())).toEqual([]);
    expect(model.requests).toHaveLength(3);
  });
});

describe('skills of plugins (contract/skills.md#plugins)', () => {
  // proves extending-1-23, extending-1-24
  it('are loaded as those of folders are, with their texts and roles', async () => {
    const plugin = `export default { name: 'test', skills: [
      { name: 'refunds', description: 'Money back.', content: 'PLUGIN TEXT', resources: { 'limits.txt': 'Up to 50.' } },
      { name: 'bribes', description: 'No.', content: 'SECRET', requiredRoles: ['Manager'] },
    ] };`;
    const { ask, model } = await start({
      scripts: [load('refunds'), readFile('refunds', 'limits.txt'), saying('Fifty.')],
      files: {},
      plugin,
    });
    const last = await ask(nobody);
    expect(namesIn(JSON.stringify(model.requests[0]?.body))).toEqual(['refunds']);
    expect(last).toContain('PLUGIN TEXT');
    expect(last).toContain('[succeeded] Up to 50.');
    expect(last).not.toContain('SECRET');
  });

  // proves extending-1-23
  it.each<[string, string, string]>([
    ['a name that is none', `{ name: 'My Skill', description: 'd', content: 'c' }`, 'test.skills[0].name'],
    ['no content', `{ name: 'a', description: 'd' }`, 'test.skills[0].content'],
    ['a resource that is no text', `{ name: 'a', description: 'd', content: 'c', resources: { x: 1 } }`, 'resources.x'],
    ['an unknown member', `{ name: 'a', description: 'd', content: 'c', roles: ['HR'] }`, 'test.skills[0].roles'],
    ['roles that are no list', `{ name: 'a', description: 'd', content: 'c', requiredRoles: 'HR' }`, 'requiredRoles'],
    ['a name twice', `...Array(2).fill({ name: 'a', description: 'd', content: 'c' })`, 'test.skills[1].name'],
  ])('keep the server from starting with %s', async (_, skill, path) => {
    const plugin = `export default { name: 'test', skills: [${skill}] };`;
    await expect(start({ plugin })).rejects.toThrow(path);
  });

  // proves extending-1-25, extending-1-26
  it('come from its skillSources too, which are asked again; a faulty one is left out', async () => {
    const plugin = `let asked = 0;
    export default { name: 'test', providers: { skillSources: [{ name: 'shelf', skills: () => {
      asked += 1;
      if (asked === 2) throw new Error('closed');
      return [{ name: 'turn-' + asked, description: 'd', content: 'c' }, { name: 'BAD', description: 'd', content: 'c' }];
    } }] } };`;
    const { ask } = await start({ files: {}, plugin });
    expect(namesIn(await ask())).toEqual(['turn-1']);
    expect(namesIn(await ask())).toEqual(['turn-1']);
    expect(namesIn(await ask())).toEqual(['turn-3']);
  });
});

describe('names of skills (contract/skills.md#sources)', () => {
  const further = () =>
    folderOf({ 'one/SKILL.md': skillText('one', [], 'FURTHER'), 'two/SKILL.md': skillText('two', [], 'FURTHER') });
  const plugin = (hook = '') => `export default { name: 'test', skills: [
    { name: 'one', description: 'd', content: 'PLUGIN' }, { name: 'two', description: 'd', content: 'PLUGIN' },
    ], hooks: { ${hook} } };`;

  // proves configuration-6-20
  it('are looked up in the folder, then in plugins, then in skillSources', async () => {
    const { ask } = await start({
      scripts: [
        calling(
          { name: 'load_skill', arguments: { skillName: 'one' } },
          { name: 'load_skill', arguments: { skillName: 'two' } },
        ),
        saying('.'),
      ],
      files: { 'one/SKILL.md': skillText('one', [], 'FOLDER') },
      plugin: plugin(),
      settings: { skillSources: [further().path] },
    });
    const sent = await ask();
    expect(sent).toContain(String.raw`skill one:\n\nFOLDER`);
    expect(sent).toContain(String.raw`skill two:\n\nPLUGIN`);
    expect(sent).not.toContain('FURTHER');
  });

  // proves configuration-6-20
  it('of the folder stay taken for users who may not use it', async () => {
    const { ask } = await start({
      scripts: [load('one'), saying('.')],
      files: { 'one/SKILL.md': skillText('one', ['metadata: { helper.requiredRoles: Manager }'], 'FOLDER') },
      settings: { skillSources: [further().path] },
    });
    expect(await ask(nobody)).toContain("Error: Skill 'one' not found.");
  });

  // proves configuration-6-21, configuration-6-22
  it.each<[string, readonly string[], string, readonly string[]]>([
    ['a glob', ['a*'], '', ['a-one', 'a-two', 'own']],
    ['a glob and what it must not fit', ['a*', '!*two'], '', ['a-one', 'own']],
    ['what it must not fit alone', ['!a-*'], '', ['b', 'own']],
    ['a hook', [], "skillFilter: async ({ name, source }) => name === 'b' && source.length > 0", ['b', 'own']],
    ['a hook that throws', [], "skillFilter: () => { throw new Error('x'); }", ['own']],
    ['a hook that says nothing', [], 'skillFilter: () => undefined', ['own']],
  ])('of skillSources alone are filtered by %s', async (_, skillFilter, hook, wanted) => {
    const names = ['a-one', 'a-two', 'b'];
    const source = folderOf(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)])));
    const { ask } = await start({
      files: { 'own/SKILL.md': skillText('own') },
      plugin: `export default { name: 'test', hooks: { ${hook} } };`,
      settings: { skillSources: [source.path], skillFilter },
    });
    expect(namesIn(await ask())).toEqual(wanted);
  });
});

describe('a changed skill (contract/skills.md#refreshing)', () => {
  // proves service-2.12-17
  it('is there for the next conversation, and the one that runs keeps its own', async () => {
    const { url, model, folder, ask } = await start({});
    const hub = await connect(url, nobody);
    await hub.invoke('SendMessage', 'Hello');
    folder.write('returns/SKILL.md', skillText('returns'));
    await hub.invoke('SendMessage', 'And now?');
    expect(namesIn(JSON.stringify(model.requests[1]?.body))).toEqual(['refunds']);
    expect(namesIn(await ask())).toEqual(['refunds', 'returns']);
  });

  // proves service-2.12-18
  it('waits for skillsRefreshInterval where that is set', async () => {
    const { folder, ask } = await start({ settings: { skillsRefreshInterval: '1h' } });
    expect(namesIn(await ask())).toEqual(['refunds']);
    folder.write('returns/SKILL.md', skillText('returns'));
    expect(namesIn(await ask())).toEqual(['refunds']);
  });
});

describe('helper check (contract/skills.md#faults)', () => {
  async function check(
    settings: object,
    files: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number; readonly text: string }> {
    const folder = folderOf(files);
    const config = join(folder.path, 'helper.yaml');
    writeFileSync(
      config,
      JSON.stringify({
        appName: 'T',
        chatClient: 'd',
        models: { d: { provider: 'demo' } },
        actions: 'none',
        ...settings,
      }),
    );
    const context = fakeContext(folder.path);
    const code = await runCommand(['check', '--config', config], context);
    return { code, text: context.written() + context.complained() };
  }

  // proves configuration-1-40
  it('names skills with their roles, and those that are left out with file and reason', async () => {
    const { code, text } = await check(
      { enableSkills: true, skillsFolder: 'skills', skillSources: ['more'] },
      {
        'skills/good/SKILL.md': skillText('good', ['metadata: { helper.requiredRoles: HR, helper.tenants: north }']),
        'skills/odd/SKILL.md': skillText('odd', ['version: 1']),
        'skills/bad/SKILL.md': 'x',
        'more/good/SKILL.md': skillText('good'),
      },
    );
    expect(code).toBe(0);
    expect(text).toMatch(/good +HR +north +\S+skills\n/);
    expect(text).toMatch(/HLP1080 +a skill is left out: \S+bad\/SKILL\.md does not begin with front matter\./);
    expect(text).toMatch(/HLP1080 +a skill is left out: \S+more: good has a name that \S+skills has taken\./);
    expect(text).toMatch(/HLP1081 +\S+odd\/SKILL\.md has keys that are not those of a skill: version\./);
  });

  it.each<[string, object, RegExp]>([
    ['a folder without skills', { enableSkills: true }, /HLP1082 +enableSkills is on, but there is no skill/],
    [
      'skills that are off',
      { skillSources: ['.'], skillFilter: ['a'] },
      /HLP1036 +skillSources, skillFilter have no effect: set enableSkills: true, or take them out\./,
    ],
  ])('warns of %s', async (_, settings, warning) => {
    expect((await check(settings, {})).text).toMatch(warning);
  });

  // proves configuration-6-23
  it.each([
    ['skillsFolder', { skillsFolder: 'none' }],
    ['skillSources', { skillSources: ['none'] }],
  ])('refuses a folder of %s that is not there', async (key, settings) => {
    const { code, text } = await check({ enableSkills: true, ...settings }, {});
    expect(code).toBe(78);
    expect(text).toMatch(new RegExp(`${key}.*there is no directory`));
  });
});
