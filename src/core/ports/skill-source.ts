/** What a skill is known by before it is loaded (contract/skills.md). */
export interface SkillFacts {
  /** Lower-case letters and digits with hyphens between them, at most 64. */
  readonly name: string;
  /** When to use it: at most 1,024 characters, and all that a model reads of it until it is loaded. */
  readonly description: string;
  /** Any one of these roles may use it. Left out or empty, everybody may. */
  readonly requiredRoles?: readonly string[] | undefined;
  /** Globs of the tenants whose users may use it. Left out or empty, every tenant's may. */
  readonly tenants?: readonly string[] | undefined;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  /** As its author wrote them. The server does not go by them. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Instructions for one kind of task. */
export interface Skill extends SkillFacts {
  readonly instructions: string;
  /** The names of its files as they are now. */
  resources(): Promise<readonly string[]>;
  /** The text of one of its files; undefined for whatever is not one that may be read. */
  read(resource: string): Promise<string | undefined>;
}

/** What is wrong with a skill, or with the place where it was looked for. For operators, without anything of its text. */
export interface SkillFault {
  /** Where it stands: a file, or the name of what offers it. */
  readonly place: string;
  readonly reason: string;
  /** `left-out`: the skill does not serve. `ignored`: something of it is not gone by, and the skill serves. */
  readonly kind: 'left-out' | 'ignored';
}

/** The skills of one place as they were read, and what is wrong there. */
export interface SkillReading {
  readonly skills: readonly Skill[];
  readonly faults: readonly SkillFault[];
}

/** Somewhere skills come from. */
export interface SkillSource {
  /** For people. */
  readonly name: string;
  /** Reads them anew. What rejects or takes too long leaves those of the reading before. */
  read(signal: AbortSignal): Promise<SkillReading>;
}
