import { describe, expect, it } from 'vitest';
import { faultsWith, loadText, minimal, settingsWith } from './load-from-text.ts';

const environment = {
  NAME: 'Ann',
  EMPTY: '',
  PORT: '9000',
  FLAG: 'true',
  LIST: '[a, b]',
  REFERENCE: '${NAME}',
  YAML: 'a: b # c',
  COLOR: '#0a7',
  NULL: 'null',
};

describe('references to the environment and to files (contract/configuration.md#reading)', () => {
  it.each([
    // proves configuration-1-04
    ['${NAME}', 'Ann'],
    ['Hi ${NAME}, ${NAME}!', 'Hi Ann, Ann!'],
    // proves configuration-1-04
    ['${NOBODY:-someone}', 'someone'],
    ['x${NOBODY:-}', 'x'],
    ['${EMPTY:-someone}', 'someone'],
    ['x${EMPTY}', 'x'],
    ['${NAME:-someone}', 'Ann'],
    ['$${NAME}', '${NAME}'],
    ['$${NAME} is ${NAME}', '${NAME} is Ann'],
    ['$NAME $ {NAME}', '$NAME $ {NAME}'],
    ['${REFERENCE}', '${NAME}'],
    ['${NOBODY:-a:-b}', 'a:-b'],
    ['${file:secret.txt}', 'two\nlines'],
    ['${file:windows.txt}', 'line'],
    ['<${file:sub/empty.txt}>', '<>'],
  ])('%s in a text becomes %s', (text, expected) => {
    const files = { 'secret.txt': 'two\nlines\n', 'windows.txt': 'line\r\n', 'sub/empty.txt': '' };
    expect(settingsWith(`appDescription: '${text}'\n`, { environment, files }).appDescription).toBe(expected);
  });

  it.each([
    ['server: { port: "${PORT}" }\n', { server: { port: 9000 } }],
    ['demoPage: ${FLAG}\n', { demoPage: true }],
    ['requiresApproval: ${LIST}\n', { requiresApproval: ['a', 'b'] }],
    ['botName: ${PORT}\n', { botName: '9000' }],
    ['botName: ${YAML}\n', { botName: 'a: b # c' }],
    ['primaryColor: ${COLOR}\n', { primaryColor: '#0a7' }],
    ['primaryColor: ${EMPTY}\n', { primaryColor: null }],
    ['avatarUrl: ${NULL}\n', { avatarUrl: null }],
    ['endpoints: { metrics: { port: "${NOBODY:-null}" } }\n', { endpoints: { metrics: { port: null } } }],
    ['confirmationTimeout: ${NOBODY:-90s}\n', { confirmationTimeout: 90_000 }],
    ['language: ${NOBODY:-french}\n', { language: 'French' }],
    ['pluginOptions: { desk: { limit: "${PORT}" } }\n', { pluginOptions: { desk: { limit: '9000' } } }],
  ])('a lone reference is read as the type of its key: %s', (lines, expected) => {
    expect(settingsWith(lines, { environment })).toMatchObject(expected);
  });

  // proves configuration-1-04
  it('does not expand what it put in, inside lists and maps either', () => {
    const settings = settingsWith('requiresApproval: ${LIST_OF_REFERENCES}\n', {
      environment: { LIST_OF_REFERENCES: '["${NAME}"]', NAME: 'Ann' },
    });
    expect(settings.requiresApproval).toEqual(['${NAME}']);
  });

  // proves configuration-1-04
  it('names the key and the variable that is not set', () => {
    expect(faultsWith('botName: ${NOBODY}\n')).toEqual([
      {
        file: 'helper.yaml',
        line: 5,
        column: 10,
        path: 'botName',
        message: 'the environment variable NOBODY is not set; set it, or give a default as ${NOBODY:-default}',
      },
    ]);
  });

  it('says nothing of what only follows from it', () => {
    const faults = faultsWith('auth: { jwt: { secret: "${NOBODY}" } }\n');
    expect(faults.map(({ path }) => path)).toEqual(['auth.jwt.secret']);
  });

  it.each([
    ['${file:nowhere.txt}', /nowhere\.txt cannot be read \(ENOENT\)/],
    ['${file:.}', /is not a file/],
    ['${file:large.txt}', /larger than 1 MiB/],
    ['${1NAME}', /not a reference/],
    ['${}', /not a reference/],
    ['${NAME:x}', /not a reference/],
    ['${NAME', /not closed/],
  ])('reports %s', (text, message) => {
    const files = { 'large.txt': 'x'.repeat(1024 * 1024 + 1) };
    const [fault] = faultsWith(`botName: '${text}'\n`, { environment, files });
    expect(fault?.message).toMatch(message);
  });
});

describe('overrides from the environment (contract/configuration.md#reading)', () => {
  const overridden = (variables: Record<string, string>, lines = ''): unknown =>
    settingsWith(lines, { environment: { NAME: 'Ann', ...variables } });

  it.each([
    [{ HELPER__SERVER__PORT: '9000' }, { server: { port: 9000, host: '127.0.0.1' } }],
    [{ helper__server__port: '9000' }, { server: { port: 9000 } }],
    [{ HELPER__DEMOPAGE: 'true' }, { demoPage: true }],
    [{ HELPER__BOTNAME: 'a: b #c' }, { botName: 'a: b #c' }],
    [{ HELPER__BOTNAME: '"quoted"' }, { botName: 'quoted' }],
    [{ HELPER__BOTNAME: '12' }, { botName: '12' }],
    [{ HELPER__AVATARURL: '' }, { avatarUrl: null }],
    [{ HELPER__SERVER__CHANNELS: '[sse]' }, { server: { channels: ['sse'] } }],
    [{ HELPER__SERVER: '{ port: 1, host: "::1" }', HELPER__SERVER__PORT: '2' }, { server: { port: 2, host: '::1' } }],
    [{ HELPER__THEME: 'dark' }, { theme: 'Dark' }],
    [{ HELPER__CONFIRMATIONTIMEOUT: '1m' }, { confirmationTimeout: 60_000 }],
    [{ HELPER__SERVER__TLS: 'null' }, { server: { tls: null } }],
    [{ HELPER__BOTNAME: '${NAME}' }, { botName: 'Ann' }],
    [{ HELPER__MODELS__DEMO__MAXRETRIES: '5' }, { models: { demo: { maxRetries: 5 } } }],
    [
      {
        HELPER__MODELS__MAIN__PROVIDER: 'openai',
        HELPER__MODELS__MAIN__MODEL: 'x',
        HELPER__MODELS__MAIN__APIKEY: '123',
      },
      { models: { main: { provider: 'openai', model: 'x', apiKey: '123' } } },
    ],
    [{ HELPER__PLUGINOPTIONS__desk__openAt: '9' }, { pluginOptions: { desk: { openAt: 9 } } }],
    [{ HELPER_CONFIG: 'elsewhere', HELPERX: '1' }, { botName: 'Helper AI' }],
  ])('%o', (variables, expected) => {
    // The union of the rows above has keys that are undefined in the others.
    expect(overridden(variables as unknown as Record<string, string>)).toMatchObject(expected);
  });

  // proves configuration-1-05
  it('win over the file', () => {
    expect(overridden({ HELPER__SERVER__PORT: '9000' }, 'server: { port: 1, host: "::1" }\n')).toMatchObject({
      server: { port: 9000, host: '::1' },
    });
  });

  it('match names of your own without regard to case', () => {
    const settings = settingsWith('pluginOptions: { order-desk: { openAt: 8 } }\n', {
      environment: { 'HELPER__PLUGINOPTIONS__ORDER-DESK__OPENAT': '9' },
    });
    expect(settings.pluginOptions).toEqual({ 'order-desk': { openAt: 9 } });
  });

  it('replace a word by a map', () => {
    const { settings } = loadText(minimal, {
      environment: { HELPER__ACTIONS__PLUGINS: '[plugs]' },
      files: { 'plugs/a.plugin.js': '' },
    });
    expect(settings?.actions).toMatchObject({ plugins: [expect.stringMatching(/plugs$/)] });
  });

  // proves configuration-1-05
  it.each([
    [{ HELPER__SERVER__PRT: '1' }, 'HELPER__SERVER__PRT', 'HELPER__SERVER__PORT'],
    [{ HELPER__SRVER__PORT: '1' }, 'HELPER__SRVER__PORT', 'HELPER__SERVER__PORT'],
    [{ HELPER__SERVER__PORT__X: '1' }, 'HELPER__SERVER__PORT__X', undefined],
    [{ HELPER__: '1' }, 'HELPER__', undefined],
    [{ HELPER__PAGES__0__NAME: 'x' }, 'HELPER__PAGES__0__NAME', undefined],
    [{ HELPER__TENANCY__MODE: 'x' }, 'HELPER__TENANCY__MODE', undefined],
  ])('of unknown names are faults: %o', (variables, path, suggestion) => {
    const [fault] = faultsWith('', { environment: variables as unknown as Record<string, string> });
    expect(fault).toMatchObject({ file: `environment variable ${path}`, path, message: 'no setting has this name' });
    expect(fault?.suggestion).toBe(suggestion);
  });

  it('name their variable when the value is wrong', () => {
    const faults = faultsWith('', { environment: { HELPER__SERVER__PORT: 'x', HELPER__PAGES: '[' } });
    expect(faults).toEqual([
      { file: 'environment variable HELPER__PAGES', path: 'pages', message: 'the value is not valid YAML' },
      expect.objectContaining({ file: 'environment variable HELPER__SERVER__PORT', path: 'server.port' }),
    ]);
  });

  it('may not name one key twice', () => {
    const faults = faultsWith('', { environment: { HELPER__SERVER__PORT: '1', helper__server__port: '2' } });
    expect(faults[0]?.message).toBe('names the same key as HELPER__SERVER__PORT; set one of them');
  });
});
