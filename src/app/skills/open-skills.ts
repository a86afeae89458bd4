import { SkillFolder } from '../../adapters/skills/skill-folder.ts';
import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { unnamedSkillsFolder } from '../../config/rules/skill-rules.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { globPredicate } from '../../core/base/glob.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { SkillFault, SkillSource } from '../../core/ports/skill-source.ts';
import { LiveSkills, type Skills } from '../../core/skills/live-skills.ts';
import { loadSkillName, readSkillResourceName } from '../../core/tools/tool-name.ts';
import { inTime } from '../in-time.ts';
import {
  type FoundSkill,
  type OrderedSources,
  PatientSource,
  readSkills,
  type ReadSkills,
  type SkillFilter,
} from './read-skills.ts';

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
const codes = { leftOut: 'HLP1080', ignored: 'HLP1081', none: 'HLP1082', unused: 'HLP1083' } as const;

type SkillSettings = Pick<
  HelperSettings,
  'configFile' | 'enableSkills' | 'skillsFolder' | 'skillSources' | 'skillFilter' | 'skillsRefreshInterval'
>;

/** One skill as operations people see it. */
export interface SkillReport {
  readonly name: string;
  readonly from: string;
  readonly roles: readonly string[];
  readonly tenants: readonly string[];
}

/** The skills of the server. */
export interface OpenedSkills {
  /** What turns with these settings use; undefined unless `enableSkills` is on. */
  by(settings: SkillSettings): Skills | undefined;
  /** The names of the present skills, without those of sources that plugins ask. None unless `enableSkills` is on. */
  names(settings: SkillSettings): Promise<readonly string[]>;
  /** The skills that were found at the start. Sources of plugins are asked only after the plugins have started. */
  readonly report: readonly SkillReport[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

interface SkillServices {
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'expect'>;
}

/** Reads the folders once to find faults. Turns read them again (contract/skills.md). Never rejects. */
export async function openSkills(
  settings: SkillSettings,
  plugins: readonly LoadedPlugin[],
  services: SkillServices,
): Promise<OpenedSkills> {
  const toldOf = new Set<string>();
  const first = settings.enableSkills
    ? await readSkills(sourcesOf(settings, plugins, { log: services.log, hasStarted: false }))
    : undefined;
  for (const fault of first?.faults ?? []) toldOf.add(textOf(fault));
  return {
    by: (given) => (given.enableSkills ? liveSkills(given, plugins, { ...services, toldOf }) : undefined),
    names: async (given) => {
      if (!given.enableSkills) return [];
      const { found } = await readSkills(sourcesOf(given, plugins, { log: services.log, hasStarted: false }));
      return found.map(({ skill }) => skill.name);
    },
    report: (first?.found ?? []).map(reportOf),
    warnings: warningsOf(settings, plugins, first),
  };
}

function liveSkills(
  settings: SkillSettings,
  plugins: readonly LoadedPlugin[],
  { log, clock, metrics, toldOf }: SkillServices & { readonly toldOf: Set<string> },
): Skills {
  for (const action of [loadSkillName, readSkillResourceName]) metrics.expect({ kind: 'action', action });
  const sources = sourcesOf(settings, plugins, { log, hasStarted: true });
  return new LiveSkills({
    refreshMs: settings.skillsRefreshInterval,
    now: () => clock.elapsed(),
    read: async () => {
      const { found, faults } = await readSkills(sources);
      tellNew(faults, toldOf, log);
      return found.map(({ skill }) => skill);
    },
  });
}

/** Logs the faults that are new since the last reading. */
function tellNew(faults: readonly SkillFault[], toldOf: Set<string>, log: Logger): void {
  const now = new Set(faults.map(textOf));
  for (const { place, reason, kind } of faults.filter((fault) => !toldOf.has(textOf(fault)))) {
    log.warn({ place, reason }, kind === 'left-out' ? 'a skill is left out' : 'a skill is not wholly gone by');
  }
  toldOf.clear();
  for (const text of now) toldOf.add(text);
}

/** The sources in their order: first the folder, then plugins, then `skillSources` (contract/skills.md#sources). */
function sourcesOf(
  { configFile, skillsFolder, skillSources, skillFilter }: SkillSettings,
  plugins: readonly LoadedPlugin[],
  { log, hasStarted }: { readonly log: Logger; readonly hasStarted: boolean },
): OrderedSources {
  const mayBeMissing = skillsFolder === unnamedSkillsFolder(configFile);
  const ofPlugins = hasStarted ? plugins.flatMap((plugin) => plugin.skillSources ?? []) : [];
  return {
    own: [new SkillFolder(skillsFolder, { log, mayBeMissing }), ...plugins.map(skillsOfPlugin)].map(patient),
    further: [...skillSources.map((folder) => new SkillFolder(folder, { log })), ...ofPlugins].map(patient),
    keeps: filterOf(skillFilter, plugins),
  };
}

function patient(source: SkillSource): PatientSource {
  return new PatientSource(source);
}

function skillsOfPlugin({ name, skills = [] }: LoadedPlugin): SkillSource {
  return { name: `plugin ${name}`, read: () => Promise.resolve({ skills, faults: [] }) };
}

/**
 * The filter of skills. A skill must fit a glob without `!`, if there is such a glob. It must fit no glob with `!`. Every plugin must keep
 * it too.
 */
function filterOf(globs: readonly string[], plugins: readonly LoadedPlugin[]): SkillFilter {
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const isWanted = globPredicate(wanted);
  const isUnwanted = globPredicate(globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)));
  const hooks = plugins.flatMap(({ hooks: { skillFilter } }) =>
    skillFilter === undefined ? [] : [inTime(skillFilter)],
  );
  return async ({ skill, source }) => {
    if ((wanted.length > 0 && !isWanted(skill.name)) || isUnwanted(skill.name)) return false;
    const { name, description, license, compatibility, allowedTools, metadata = {} } = skill;
    const asked = { name, description, source, license, compatibility, allowedTools, metadata };
    for (const keeps of hooks) {
      // Plain JavaScript may return anything: only true keeps.
      const verdict: unknown = await keeps(asked);
      if (verdict !== true) return false;
    }
    return true;
  };
}

function reportOf({ skill, source }: FoundSkill): SkillReport {
  return { name: skill.name, from: source, roles: skill.requiredRoles ?? [], tenants: skill.tenants ?? [] };
}

function textOf({ place, reason }: SkillFault): string {
  return `${place} ${reason}`;
}

function warningsOf(
  { enableSkills, skillsFolder }: SkillSettings,
  plugins: readonly LoadedPlugin[],
  read: ReadSkills | undefined,
): OpenedSkills['warnings'] {
  const ofPlugins = plugins.filter(({ skills = [], skillSources: own = [] }) => skills.length + own.length > 0);
  if (!enableSkills || read === undefined) {
    if (ofPlugins.length === 0) return [];
    const idle = ofPlugins.map(({ name }) => `skills of the plugin ${name}`).join(', ');
    return [{ code: codes.unused, message: `without effect: ${idle}. Set enableSkills: true to offer skills.` }];
  }
  const mayCome = plugins.some(({ skillSources: own = [] }) => own.length > 0);
  const faults = read.faults.map(({ place, reason, kind }) =>
    kind === 'left-out'
      ? { code: codes.leftOut, message: `a skill is left out: ${place} ${reason}.` }
      : { code: codes.ignored, message: `${place} ${reason}.` },
  );
  if (read.found.length > 0 || mayCome || faults.length > 0) return faults;
  return [
    {
      code: codes.none,
      message: `enableSkills is on, but there is no skill: put folders with a SKILL.md into ${skillsFolder}.`,
    },
  ];
}
