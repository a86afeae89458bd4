/** Instructions for one kind of task, as code (contract/skills.md#plugins). */
export interface SkillDefinition {
  /** Lower-case letters and digits with single hyphens between, at most 64. */
  readonly name: string;
  /** When to use it: all that the model reads until it loads the skill. At most 1,024 characters. */
  readonly description: string;
  /** The instructions themselves, in Markdown. */
  readonly content: string;
  /** Texts that the instructions name, by their names, such as `references/limits.txt`. */
  readonly resources?: Readonly<Record<string, string>>;
  /** Any one of these roles may use it. Left out or empty, everybody may. */
  readonly requiredRoles?: readonly string[];
  /** Globs of the tenants whose users may use it. Left out or empty, every tenant's may. */
  readonly tenants?: readonly string[];
}

/** Something that skills come from: an entry of a plugin's `providers.skillSources`. */
export interface SkillSourceDefinition {
  /** For warnings and for `skillFilter`. */
  readonly name: string;
  /**
   * Gives the skills of now; asked as often as skills are read. When it throws, or takes more than 5 seconds, those that it gave before
   * stay.
   */
  skills(context: { readonly signal: AbortSignal }): readonly SkillDefinition[] | Promise<readonly SkillDefinition[]>;
}

/** What `skillFilter` is asked about. */
export interface FilteredSkill {
  readonly name: string;
  readonly description: string;
  /** The folder, or the name of the source, that offers it. */
  readonly source: string;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}
