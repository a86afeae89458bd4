import { describe, expect, it } from 'vitest';
import type { Skill } from '../../../../src/core/ports/skill-source.ts';
import { LiveSkills } from '../../../../src/core/skills/live-skills.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';

const everybody = { roles: new Set<string>(), tenant: undefined };

function skill(name: string, more: Partial<Skill> = {}): Skill {
  return {
    name,
    description: `Does ${name} <fast> & well.`,
    instructions: `How to do ${name}.`,
    resources: () => Promise.resolve(['a.txt']),
    read: (resource) => Promise.resolve(resource === 'a.txt' ? 'A' : undefined),
    ...more,
  };
}

/** Each reading gives one more skill than the one before. The test decides when a reading ends. */
function readings(refreshMs: number | null) {
  let [now, begun] = [0, 0];
  const ends: (() => void)[] = [];
  const skills = new LiveSkills({
    refreshMs,
    now: () => now,
    read: () => {
      begun += 1;
      const found = Array.from({ length: begun }, (_, index) => skill(`s${String(index)}`));
      return new Promise((resolve) =>
        ends.push(() => {
          resolve(found);
        }),
      );
    },
  });
  const told = async (conversation: object): Promise<number> => {
    const list = await skills.of(conversation);
    return list.offeredTo(everybody).addTo(new Toolbox([])).tools.length === 0
      ? 0
      : (
          list
            .offeredTo(everybody)
            .beside('')
            .match(/<skill>/g) ?? []
        ).length;
  };
  return {
    skills,
    told,
    begun: () => begun,
    end: () => ends.shift()?.(),
    pass: (milliseconds: number) => void (now += milliseconds),
  };
}

describe('skills that are read again (contract/skills.md#refreshing)', () => {
  // proves service-2.12-17
  it('are read by every new conversation, and stay the same in one', async () => {
    const { told, end, begun } = readings(null);
    const [one, other] = [{}, {}];
    const first = told(one);
    end();
    expect([await first, await told(one), begun()]).toEqual([1, 1, 1]);
    const second = told(other);
    end();
    expect([await second, await told(one), await told(other)]).toEqual([2, 1, 2]);
  });

  it('are read once for all who came during a reading, and not by a reading that began before them', async () => {
    const { told, end, begun } = readings(null);
    const first = told({});
    const later = [told({}), told({}), told({})];
    expect(begun()).toBe(1);
    end();
    expect(await first).toBe(1);
    await expect.poll(begun).toBe(2);
    end();
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    expect(begun()).toBe(2);
  });

  // proves service-2.12-18
  it('are shared until skillsRefreshInterval has passed', async () => {
    const { skills, told, end, begun, pass } = readings(1000);
    const first = [told({}), told({})];
    end();
    expect(await Promise.all(first)).toEqual([1, 1]);
    pass(999);
    expect(skills.of({})).not.toBeInstanceOf(Promise);
    pass(1);
    const second = told({});
    end();
    expect([await second, begun()]).toEqual([2, 2]);
  });
});

describe('skills as a model is told of them (contract/skills.md#prompt)', () => {
  const offered = async (all: readonly Skill[], roles: readonly string[] = [], tenant?: string) => {
    const skills = new LiveSkills({ refreshMs: null, now: () => 0, read: () => Promise.resolve(all) });
    return (await skills.of({})).offeredTo({ roles: new Set(roles), tenant });
  };

  // proves service-2.12-09
  it('are names and descriptions in the order of the names, escaped, and no word of what they say', async () => {
    const text = (await offered([skill('b'), skill('a')])).beside('Be nice.');
    expect(text).toMatch(/^Be nice\.\n\n/);
    expect(text).toContain(`<available_skills>
<skill><name>a</name><description>Does a &lt;fast&gt; &amp; well.</description></skill>
<skill><name>b</name><description>Does b &lt;fast&gt; &amp; well.</description></skill>
</available_skills>`);
    expect(text).not.toContain('How to do');
  });

  // proves service-2.12-10
  it('leave prompt and tools alone where there are none', async () => {
    const toolbox = new Toolbox([]);
    const none = await offered([skill('a', { requiredRoles: ['HR'] }), skill('b', { tenants: ['north'] })]);
    expect(none.beside('Be nice.')).toBe('Be nice.');
    expect(none.addTo(toolbox)).toBe(toolbox);
  });

  // proves service-2.12-14
  it.each<[string, readonly string[], string | undefined, readonly string[]]>([
    ['a role', ['HR'], undefined, ['all', 'hr']],
    ['a tenant', [], 'northwest', ['all', 'north']],
    ['both', ['HR'], 'northwest', ['all', 'both', 'hr', 'north']],
    ['neither', [], undefined, ['all']],
    ['another tenant', ['HR'], 'south', ['all', 'hr']],
  ])('are those of a user with %s', async (_, roles, tenant, wanted) => {
    const all = [
      skill('all'),
      skill('hr', { requiredRoles: ['Boss', 'HR'] }),
      skill('north', { tenants: ['north*'] }),
      skill('both', { requiredRoles: ['HR'], tenants: ['north*'] }),
    ];
    const own = await offered(all, roles, tenant);
    const [load] = own.addTo(new Toolbox([])).tools;
    expect(load?.parameters).toMatchObject({ properties: { skillName: { enum: wanted } } });
    expect([...own.beside('').matchAll(/<name>([^<]*)/g)].map(([, name]) => name)).toEqual(wanted);
  });

  it('keep the tools of a toolbox the same, so that a model need not be told anew', async () => {
    const [toolbox, own] = [new Toolbox([]), await offered([skill('a')])];
    expect(own.addTo(toolbox)).toBe(own.addTo(toolbox));
  });
});
