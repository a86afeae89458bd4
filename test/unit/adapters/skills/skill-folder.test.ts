import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SkillFolder } from '../../../../src/adapters/skills/skill-folder.ts';
import type { Logger } from '../../../../src/core/ports/logger.ts';
import { folderOf, skillText, type TestFolder } from '../../../support/skill-folder.ts';
import { recordingLogger } from '../../../support/quiet.ts';

const log: Logger = recordingLogger();

async function read({
  path,
}: Pick<TestFolder, 'path'>): Promise<{ readonly names: readonly string[]; readonly reasons: readonly string[] }> {
  const { skills, faults } = await new SkillFolder(path, { log }).read();
  return { names: skills.map(({ name }) => name), reasons: faults.map(({ reason }) => reason) };
}

describe('a folder of skills (contract/skills.md#files)', () => {
  // proves service-2.12-01
  it('has a skill for each folder with a SKILL.markdown, with all that its front matter says', async () => {
    const folder = folderOf({
      'refunds/SKILL.md': `---
name: refunds
description: >-
  How to refund.
  Use it for money.
license: MIT
compatibility: needs the order desk
allowed-tools: Read refund_order
metadata: { author: Ann, version: 1.2, helper.requiredRoles: 'Clerk, Manager', helper.tenants: 'north*' }
---
# Refunds

Do it.
`,
      'refunds/references/limits.txt': 'Fifty.',
      'refunds/.git/config': 'hidden',
      'notes.txt': 'beside',
    });
    const { skills, faults } = await new SkillFolder(folder.path, { log }).read();
    expect(faults).toEqual([]);
    expect(skills[0]).toMatchObject({
      name: 'refunds',
      description: 'How to refund. Use it for money.',
      license: 'MIT',
      compatibility: 'needs the order desk',
      allowedTools: ['Read', 'refund_order'],
      requiredRoles: ['Clerk', 'Manager'],
      tenants: ['north*'],
      metadata: { author: 'Ann', version: '1.2' },
      instructions: '# Refunds\n\nDo it.\n',
    });
    expect(await skills[0]?.resources()).toEqual(['references/limits.txt']);
    expect(await skills[0]?.read('references/limits.txt')).toBe('Fifty.');
  });

  // proves service-2.12-02, service-2.12-04, service-2.12-16
  it.each<[string, string, string]>([
    ['no front matter', 'Just text.', 'does not begin with front matter'],
    ['front matter that does not end', '---\nname: bad\n', 'begins with front matter that does not end'],
    ['YAML that is not valid', '---\nname: [\n---\nx', 'has front matter that is not valid YAML'],
    ['a list for front matter', '---\n- name\n---\nx', 'has front matter without keys and values'],
    [
      'a bomb of aliases',
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map(
          (key, index) =>
            `${key}: &${key} [${Array(9)
              .fill(`*${'abcdefgh'.charAt(index)}`)
              .join(',')}]`,
        )
        .join('\n')}\n---\nx`,
      'has front matter that expands to too much',
    ],
    ['no name', '---\ndescription: x\n---\nx', 'has no name'],
    ['no description', '---\nname: bad\n---\nx', 'has no description'],
    ['another name than its folder', skillText('other'), 'has a name that is not that of its folder'],
    ['a name in capitals', '---\nname: Bad\ndescription: x\n---\nx', 'has a name that is not lower-case'],
    ['a name with two hyphens', '---\nname: b--d\ndescription: x\n---\nx', 'has a name that is not lower-case'],
    ['a name that is too long', `---\nname: ${'b'.repeat(65)}\ndescription: x\n---\nx`, 'has a name that is not lower'],
    [
      'a description that is too long',
      `---\nname: bad\ndescription: ${'d'.repeat(1025)}\n---\nx`,
      'has a description of',
    ],
    [
      'a compatibility that is too long',
      skillText('bad', [`compatibility: ${'c'.repeat(501)}`]),
      'has a compatibility',
    ],
    [
      'metadata that are no texts',
      skillText('bad', ['metadata: { a: { b: c } }']),
      'has metadata "a" that is not a text',
    ],
    ['metadata that are a list', skillText('bad', ['metadata: [a]']), 'has metadata that are not keys and texts'],
    ['no instructions', '---\nname: bad\ndescription: x\n---\n\n', 'has no instructions'],
    ['a size over the limit', skillText('bad', [], 'x'.repeat(128 * 1024)), 'is larger than 128 KiB'],
    ['a NUL', skillText('bad', [], 'a\0b'), 'is not text'],
    ['roles outside of metadata', skillText('bad', ['requiredRoles: [HR]']), 'has "requiredRoles", but only'],
    ['our key outside of metadata', skillText('bad', ['helper.requiredRoles: HR']), 'has "helper.requiredRoles", but'],
    [
      'roles under a key that is nearly right',
      skillText('bad', ['metadata: { helper.required_roles: HR }']),
      'but only',
    ],
    ['roles under a key without our name', skillText('bad', ['metadata: { Roles: HR }']), 'but only'],
    ['another key of ours', skillText('bad', ['metadata: { helper.role: HR }']), 'but only'],
    ['roles within another key', skillText('bad', ['helper: { requiredRoles: [HR] }']), 'but only'],
    ['roles without a name', skillText('bad', ["metadata: { helper.requiredRoles: '' }"]), 'is not a list of names'],
    [
      'roles with an empty name',
      skillText('bad', ["metadata: { helper.requiredRoles: 'HR,' }"]),
      'is not a list of names',
    ],
    ['roles as a list', skillText('bad', ['metadata: { helper.requiredRoles: [HR] }']), 'is not a text'],
    ['tenants without a name', skillText('bad', ["metadata: { helper.tenants: ' ' }"]), 'is not a list of names'],
  ])('leaves out a skill with %s, and says why; the others serve', async (_, text, reason) => {
    const folder = folderOf({ 'bad/SKILL.md': text, 'good/SKILL.md': skillText('good') });
    const { names, reasons } = await read(folder);
    expect(names).toEqual(['good']);
    expect(reasons).toEqual([expect.stringContaining(reason)]);
  });

  // proves service-2.12-05
  it('leaves out what is not text, no file, or not there, without waiting for a pipe', async () => {
    const folder = folderOf({ 'latin/SKILL.md': Buffer.from(`${skillText('latin')}\xe9`, 'latin1') });
    mkdirSync(join(folder.path, 'empty'));
    mkdirSync(join(folder.path, 'folder/SKILL.md'), { recursive: true });
    mkdirSync(join(folder.path, 'pipe'));
    execFileSync('mkfifo', [join(folder.path, 'pipe/SKILL.md')]);
    expect(await read(folder)).toEqual({
      names: [],
      reasons: ['is not there', 'is not a regular file', 'is not text in UTF-8', 'is not a regular file'],
    });
  });

  // proves service-2.12-05
  it('leaves out what is linked from elsewhere, and takes what is linked within', async () => {
    const outside = folderOf({ 'stolen/SKILL.md': skillText('stolen'), 'SKILL.md': skillText('file') });
    const folder = folderOf({ '..version/mounted/SKILL.md': skillText('mounted'), 'file/x.txt': 'x' });
    symlinkSync(join(outside.path, 'stolen'), join(folder.path, 'stolen'));
    symlinkSync(join(outside.path, 'SKILL.md'), join(folder.path, 'file/SKILL.md'));
    symlinkSync('..version/mounted', join(folder.path, 'mounted'));
    expect(await read(folder)).toEqual({
      names: ['mounted'],
      reasons: ['is a link out of its folder', 'is a link out of its folder'],
    });
  });

  // proves service-2.12-03
  it('says which keys it does not go by, and offers the skill', async () => {
    const folder = folderOf({ 'one/SKILL.md': skillText('one', ['version: 2', 'model: gpt']) });
    expect(await read(folder)).toEqual({
      names: ['one'],
      reasons: ['has keys that are not those of a skill: version, model'],
    });
  });

  // proves service-2.12-04
  it('takes 200 skills at most', async () => {
    const names = Array.from({ length: 201 }, (_, index) => `s${String(index).padStart(3, '0')}`);
    const folder = folderOf(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)])));
    const found = await read(folder);
    expect(found.names).toHaveLength(200);
    expect(found.reasons).toEqual(['has more than 200 skills: the others are left out']);
  });

  it('is read again: what changed, came and went', async () => {
    const folder = folderOf({ 'one/SKILL.md': skillText('one'), 'two/SKILL.md': skillText('two') });
    const source = new SkillFolder(folder.path, { log });
    const [before] = (await source.read()).skills;
    expect((await source.read()).skills[0]).toBe(before);
    folder.write('one/SKILL.md', skillText('one', [], 'Anew.'));
    folder.write('three/SKILL.md', skillText('three'));
    renameSync(join(folder.path, 'two'), join(folder.path, '.two'));
    const { skills } = await source.read();
    expect(skills.map(({ name }) => name)).toEqual(['one', 'three']);
    expect(skills[0]?.instructions).toBe('Anew.\n');
  });

  it('may be missing only where nobody has named it', async () => {
    const missing = join(folderOf({}).path, 'none');
    expect((await new SkillFolder(missing, { log }).read()).faults).toHaveLength(1);
    expect((await new SkillFolder(missing, { log, mayBeMissing: true }).read()).faults).toEqual([]);
  });
});

describe('a file of a skill (contract/skills.md#files-of-a-skill)', () => {
  async function skillWith(files: Readonly<Record<string, string | Uint8Array>>, link?: readonly [string, string]) {
    const folder = folderOf({ 'secret.txt': 'OUTSIDE', 'one/SKILL.md': skillText('one'), ...files });
    if (link !== undefined) symlinkSync(link[1], join(folder.path, link[0]));
    const [skill] = (await new SkillFolder(folder.path, { log }).read()).skills;
    if (skill === undefined) throw new Error('the skill was not read');
    return { skill, folder };
  }

  // proves service-2.12-06, service-2.12-07
  it.each([
    ['a step up', '../secret.txt'],
    ['a step up within', 'references/../../secret.txt'],
    ['a step that stays', './a.txt'],
    ['an absolute path', '/etc/hostname'],
    ['a path of another system', String.raw`..\secret.txt`],
    ['a drive', 'C:a.txt'],
    ['a NUL', 'a.txt\0'],
    ['an empty part', 'references//a.txt'],
    ['nothing', ''],
    ['a hidden file', '.env'],
    ['the instructions themselves', 'SKILL.md'],
    ['a folder', 'references'],
    ['what is not there', 'b.txt'],
    ['a name without end', 'a'.repeat(100_000)],
  ])('is not read for %s', async (_, name) => {
    const { skill } = await skillWith({ 'one/a.txt': 'A', 'one/.env': 'HIDDEN', 'one/references/a.txt': 'A' });
    expect(await skill.read(name)).toBeUndefined();
    expect(await skill.read('a.txt')).toBe('A');
  });

  // proves service-2.12-08
  it.each<[string, string | Uint8Array]>([
    ['larger than 256 KiB', 'x'.repeat(256 * 1024 + 1)],
    ['binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff])],
    ['text with a NUL', 'a\0b'],
  ])('is not read when it is %s', async (_, content) => {
    const { skill } = await skillWith({ 'one/a.txt': content });
    expect(await skill.read('a.txt')).toBeUndefined();
  });

  // proves service-2.12-07
  it('is neither named nor read when it is a link out of its skill', async () => {
    const { skill } = await skillWith({ 'one/b.txt': 'B' }, ['one/a.txt', '../secret.txt']);
    expect(await skill.read('a.txt')).toBeUndefined();
    expect(await skill.resources()).toEqual(['b.txt']);
  });

  // proves service-2.12-06
  it('is named with at most 99 others, and not deeper than five folders', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`one/f${String(index)}.txt`, 'x']));
    const { skill } = await skillWith({ ...many, 'one/1/2/3/4/5/deep.txt': 'x' });
    expect(await skill.resources()).toHaveLength(100);
    expect(await skill.resources()).not.toContain('1/2/3/4/5/deep.txt');
  });
});
