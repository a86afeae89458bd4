import { describe, expect, it } from 'vitest';
import { parseFacts } from '../../../../src/adapters/knowledge/files/reader/facts.ts';
import { refuseStrayReaders } from '../../../../src/adapters/knowledge/files/reader/reader-names.ts';
import { splitFrontMatter } from '../../../../src/adapters/knowledge/files/reader/front-matter.ts';

describe('front matter (contract/document-folders.md#facts)', () => {
  it.each([
    [
      'stands between two lines of dashes',
      '---\ntitle: A\n---\nbody',
      { facts: 'title: A', syntax: 'yaml', body: 'body' },
    ],
    ['may be empty', '---\n---\nbody', { facts: '', syntax: 'yaml', body: 'body' }],
    ['may be all there is', '---\ntitle: A\n---', { facts: 'title: A', syntax: 'yaml', body: '' }],
    ['may end with dots', '---\ntitle: A\n...\nbody', { facts: 'title: A', syntax: 'yaml', body: 'body' }],
    [
      'begins in the first line or not at all',
      '\n---\ntitle: A\n---\n',
      { facts: undefined, syntax: 'yaml', body: '\n---\ntitle: A\n---\n' },
    ],
    [
      'may have many spaces behind its dashes',
      `---${' '.repeat(30)}\ntitle: A\n---\nbody`,
      { facts: 'title: A', syntax: 'yaml', body: 'body' },
    ],
    // proves service-2.11-39
    ['may be TOML', '+++\ntitle = "A"\n+++\nbody', { facts: 'title = "A"', syntax: 'toml', body: 'body' }],
    [
      'may name its language',
      '---toml\ntitle = "A"\n---\nbody',
      { facts: 'title = "A"', syntax: 'toml', body: 'body' },
    ],
    ['may be JSON', '{\n"title": "A"\n}\n\nbody', { facts: '{\n"title": "A"\n}\n', syntax: 'yaml', body: '\nbody' }],
    [
      'is not a rule above a text',
      '---\n\nText: here.\n\n---\nMore.',
      { facts: undefined, syntax: 'yaml', body: '---\n\nText: here.\n\n---\nMore.' },
    ],
    [
      'is not a rule above a heading',
      '---\n# A\n\ntext',
      { facts: undefined, syntax: 'yaml', body: '---\n# A\n\ntext' },
    ],
    [
      'is front matter though an empty line begins it',
      '---\n\ntitle: A\n---\nbody',
      { facts: '\ntitle: A', syntax: 'yaml', body: 'body' },
    ],
    ['is not a rule of more dashes', '----\ntext', { facts: undefined, syntax: 'yaml', body: '----\ntext' }],
  ])('%s', (_title, text, expected) => {
    expect(splitFrontMatter(text)).toEqual(expected);
  });

  it('that does not end within 64 KiB leaves the document out', () => {
    expect(() => splitFrontMatter(`---\n${'a: b\n'.repeat(20_000)}---\nbody`)).toThrow(
      'front matter that does not end',
    );
  });
});

describe('the facts about a document (contract/document-folders.md#facts)', () => {
  // proves service-2.11-54
  it('are title, address, language, readers and metadata', () => {
    const text =
      'title: A\nurl: https://example.com/a\nlanguage: pt-BR\nrequiredRoles: [x]\ntenants: acme\nversion: 2\nok: true\n';
    expect(parseFacts(text, 'front matter')).toEqual({
      title: 'A',
      url: 'https://example.com/a',
      language: 'pt',
      requiredRoles: ['x'],
      tenants: ['acme'],
      metadata: { version: '2', ok: 'true' },
    });
  });

  // proves service-2.11-39
  it('may be TOML', () => {
    const text = 'title = "A"\ndate = 2026-01-02\nrequiredRoles = ["x"]\n[menu]\nweight = 1\n';
    expect(parseFacts(text, 'front matter', 'toml')).toMatchObject({ title: 'A', requiredRoles: ['x'] });
    expect(() => parseFacts('title = ', 'front matter', 'toml')).toThrow(
      'has TOML that is not valid in its front matter',
    );
    expect(() => parseFacts('[menu]\nroles = ["x"]', 'front matter', 'toml')).toThrow('within another key');
  });

  it.each([
    ['an address of a script', 'url: javascript:alert(1)', 'has a url that is neither https nor relative'],
    ['an address without encryption', 'url: http://example.com', 'has a url that is neither https nor relative'],
    ['another host in disguise', 'url: //example.com', 'has a url that is neither https nor relative'],
    ['a title that is a list', 'title: [a]', 'has a title that is not a text'],
    ['a language that is a name', 'language: English', 'has a language that is not a code like "en"'],
    ['roles that are no names', 'requiredRoles: [[a]]', 'has requiredRoles that are not a list of names'],
    ['roles that are empty names', 'requiredRoles: ["a", " "]', 'has requiredRoles that are not a list of names'],
    ['tenants that are nothing', 'tenants:', 'has tenants that are not a list of names'],
    ['roles under nearly the right name', 'RequiredRole: a', 'has "RequiredRole" instead of "requiredRoles"'],
    ['roles that are required otherwise', 'requireRoles: a', 'has "requireRoles" instead of "requiredRoles"'],
    ['roles alone', 'roles: [a]', 'has "roles" instead of "requiredRoles"'],
    ['roles with a dot', 'required.roles: [a]', 'has "required.roles" instead of "requiredRoles"'],
    ['roles with an invisible space', 'required\u200bRoles: a', 'has "required?Roles" instead of "requiredRoles"'],
    ['tenants that are allowed', 'allowed_tenants: a', 'has "allowed_tenants" instead of "tenants"'],
    ['roles within another key', 'nothing:\naccess: [{requiredRoles: [a]}]', 'has "requiredRoles" within another key'],
    ['roles of a merge', 'a: &a\n  b: 1\n<<: {tenants: [a]}', 'has "tenants" within another key'],
    ['roles twice', 'requiredRoles: [a]\nrequiredRoles: [b]', 'has YAML that is not valid'],
    ['a list', '- a', 'has no keys and values'],
    ['a text', 'only words', 'has no keys and values'],
  ])('leave the document out when they hold %s', (_title, text, reason) => {
    expect(() => parseFacts(text, 'front matter')).toThrow(`${reason} in its front matter`);
  });

  // proves service-2.11-54
  it('keep at most 20 texts of 500 characters, none of them a mapping, and no key of the language', () => {
    const many = Array.from({ length: 30 }, (_, index) => `k${String(index)}: ${'x'.repeat(600)}`).join('\n');
    const { metadata } = parseFacts(`nested: {a: b}\n__proto__: no\n${many}`, 'front matter');
    expect(Object.keys(metadata)).toHaveLength(20);
    expect(Object.values(metadata).every((value) => value.length <= 500)).toBe(true);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    expect(metadata).not.toHaveProperty('nested');
  });
});

describe('a document without front matter (contract/document-folders.md#facts)', () => {
  it.each([
    ['below an empty line', '\n---\nrequiredRoles: [staff]\n---\ntext'],
    ['below a comment', '# only for us\n---\nrequiredRoles: [staff]\n---\ntext'],
    ['below dashes with a comment', '--- # x\nrequiredRoles: [staff]\n---\ntext'],
    ['below an invisible character', '\u200b---\nrequiredRoles: [staff]\n---\ntext'],
    ['in TOML', '+++\nrequiredRoles = ["staff"]\n+++\ntext'],
    ['in JSON', '{\n  "tenants": ["acme"]\n}\ntext'],
    ['without any dashes', 'Roles: staff\n\n# Title\n\ntext'],
    ['below a heading, between dashes', '# Title\n\n---\nrequired_roles: staff\n---\ntext'],
    ['in a comment of a page', '<!--\nrequiredRoles: [staff]\n-->\n<h1>Title</h1>'],
  ])('is left out when it names its readers %s', (_title, text) => {
    expect(() => refuseStrayReaders(text)).toThrow('names roles or tenants near its beginning');
  });

  it.each([
    ['tells of roles in its text', 'Your roles decide what you see: ask the tenant.'],
    ['shows an example of facts below its heading', '# Facts\n\n---\n\n```yaml\nrequiredRoles: [staff]\n```\n'],
    ['has a list of roles below its heading', '# Roles\n\n- Roles: staff, boss\n'],
    ['tells of controls', 'Controles: ninguno'],
    ['has elements with roles', '<div\n  role="main"\n>text</div>'],
    ['has them behind its beginning', `${'text '.repeat(500)}\nrequiredRoles: [staff]`],
  ])('is not left out when it %s', (_title, text) => {
    expect(() => {
      refuseStrayReaders(text);
    }).not.toThrow();
  });
});
