/** Instructions for one kind of task, as code (contract/skills.md#plugins). */
export interface SkillDefinition {
  /** Lower-case letters and digits with single hyphens between, at most 64. */
  readonly name: string;
  /** When to use the skill. The model reads only this text until it loads the skill. At most 1,024 characters. */
  readonly description: string;
  /** The instructions themselves, in Markdown. */
  readonly content: string;
  /** Further texts by the names that the instructions use, such as `references/limits.txt`. */
  readonly resources?: Readonly<Record<string, string>>;
  /** One of these roles is enough to use the skill. Left out or empty, everybody may use it. */
  readonly requiredRoles?: readonly string[];
  /** Globs of the tenants whose users may use the skill. Left out or empty, the users of every tenant may. */
  readonly tenants?: readonly string[];
}

/** A source of skills: an entry of a plugin's `providers.skillSources`. */
export interface SkillSourceDefinition {
  /** The name in warnings and for `skillFilter`. */
  readonly name: string;
  /**
   * Returns the present skills. It is called whenever skills are read. When it throws, or takes more than 5 seconds, the skills of its last
   * answer stay.
   */
  skills(context: { readonly signal: AbortSignal }): readonly SkillDefinition[] | Promise<readonly SkillDefinition[]>;
}

/** The skill that `skillFilter` decides about. */
export interface FilteredSkill {
  readonly name: string;
  readonly description: string;
  /** The folder of the skill, or the name of its source. */
  readonly source: string;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}
