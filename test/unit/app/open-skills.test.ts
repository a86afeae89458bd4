import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSkills } from '../../../src/app/skills/open-skills.ts';
import { PatientSource } from '../../../src/app/skills/read-skills.ts';
import type { SkillReading } from '../../../src/core/ports/skill-source.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';
import { folderOf, skillText } from '../../support/skill-folder.ts';
import { settingsWith } from '../config/load-from-text.ts';

describe('openSkills (contract/skills.md#faults)', () => {
  // proves service-2.12-20
  it('logs a fault when it appears, and again only after it was gone', async () => {
    const folder = folderOf({ 'known/SKILL.md': 'x', 'one/SKILL.md': skillText('one') });
    const settings = settingsWith(`enableSkills: true\nskillsFolder: ${folder.path}\n`);
    const log = recordingLogger();
    const clock = { now: () => 0, elapsed: () => 0 };
    const skills = (await openSkills(settings, [], { log, clock, metrics: recordingMetrics() })).by(settings);
    const readAgain = async (text: string): Promise<number> => {
      folder.write('one/SKILL.md', text);
      await skills?.of({});
      return log.lines.length;
    };
    const faulty = `${skillText('other')} `;
    expect([await readAgain(skillText('one')), await readAgain(faulty), await readAgain(`${faulty} `)]).toEqual([
      0, 1, 1,
    ]);
    expect([await readAgain(skillText('one')), await readAgain(`${faulty}  `)]).toEqual([1, 2]);
    expect(log.lines[0]?.fields).toEqual({
      place: join(folder.path, 'one/SKILL.md'),
      reason: 'has a name that is not that of its folder',
    });
  });
});

describe('a source of skills that stands still (contract/skills.md#plugins)', () => {
  // proves extending-1-26
  it('keeps what it gave before, and is not asked again until it answers', async () => {
    const skill = {
      name: 'a',
      description: 'd',
      instructions: 'i',
      resources: () => Promise.resolve([]),
      read: () => Promise.resolve(undefined),
    };
    const answers: PromiseWithResolvers<SkillReading>[] = [];
    const source = new PatientSource(
      {
        name: 'slow',
        read: () => {
          const answer = Promise.withResolvers<SkillReading>();
          answers.push(answer);
          return answer.promise;
        },
      },
      20,
    );
    const first = source.read();
    answers[0]?.resolve({ skills: [skill], faults: [] });
    expect(await first).toEqual({ skills: [skill], faults: [] });
    const late = {
      skills: [skill],
      faults: [{ place: 'slow', reason: 'gave no skills within 20 ms', kind: 'ignored' }],
    };
    expect([await source.read(), await source.read(), answers.length]).toEqual([late, late, 2]);
    answers[1]?.resolve({ skills: [], faults: [] });
    expect(await source.read()).toEqual({ skills: [], faults: [] });
  });
});
