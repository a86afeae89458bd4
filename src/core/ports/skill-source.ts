/** What a skill is known by before it is loaded (contract/skills.md). */
export interface SkillFacts {
  /** Lower-case letters and digits with hyphens between them, at most 64. */
  readonly name: string;
  /** When to use the skill, in at most 1,024 characters. Until the skill is loaded, a model reads only this text and the name. */
  readonly description: string;
  /** Any one of these roles may use the skill. When absent or empty, everybody may. */
  readonly requiredRoles?: readonly string[] | undefined;
  /** Globs of the tenants whose users may use the skill. When absent or empty, the users of every tenant may. */
  readonly tenants?: readonly string[] | undefined;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  /** The tools as the author of the skill listed them. The server ignores this list. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Instructions for one kind of task. */
export interface Skill extends SkillFacts {
  readonly instructions: string;
  /** The names of its files as they are now. */
  resources(): Promise<readonly string[]>;
  /** The text of one file of the skill. Undefined when there is no such file, or when it may not be read. */
  read(resource: string): Promise<string | undefined>;
}

/**
 * What is wrong with a skill, or with the place where skills were looked for. The text is for operators, and repeats nothing of the skill.
 */
export interface SkillFault {
  /** Where the fault is: a file, or the name of the source that offers the skill. */
  readonly place: string;
  readonly reason: string;
  /** `left-out`: the skill is not offered. `ignored`: a part of the skill is ignored, and the skill is offered. */
  readonly kind: 'left-out' | 'ignored';
}

/** The skills of one place as they were read, and what is wrong there. */
export interface SkillReading {
  readonly skills: readonly Skill[];
  readonly faults: readonly SkillFault[];
}

/** A place that skills come from. */
export interface SkillSource {
  /** The name of the source, for people. */
  readonly name: string;
  /** Reads the skills again. When reading fails or takes too long, the skills of the previous reading stay. */
  read(signal: AbortSignal): Promise<SkillReading>;
}
