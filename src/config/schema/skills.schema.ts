import type { SectionSchema } from './setting-schema.ts';

/** Instructions that the model loads when a task needs them (contract/skills.md). */
export const skillsSection = {
  title: 'Skills',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableSkills: {
      type: 'boolean',
      default: false,
      description: 'Tells the model which skills there are, and lets it load them.',
    },
    skillsFolder: {
      needs: [{ setting: 'enableSkills' }],
      type: 'string',
      minLength: 1,
      relativeTo: 'file',
      default: 'Skills',
      description: 'Folder of your skills: each is a folder of its own with a SKILL.md.',
    },
    skillSources: {
      needs: [{ setting: 'enableSkills' }],
      type: 'array',
      items: { type: 'string', minLength: 1, relativeTo: 'file' },
      maxItems: 50,
      default: [],
      description: 'Further folders of skills. Those of skillsFolder and of plugins win a name that is used twice.',
    },
    skillFilter: {
      needs: [{ setting: 'enableSkills' }],
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      maxItems: 200,
      default: [],
      description:
        'Which skills of skillSources are offered, by the globs of their names; ! before a glob leaves them out. Empty: all.',
    },
    skillsRefreshInterval: {
      needs: [{ setting: 'enableSkills' }],
      type: ['string', 'null'],
      format: 'duration',
      positive: true,
      default: null,
      description:
        'How long one list of skills serves all conversations. null: each conversation reads them when it begins.',
    },
  },
} as const satisfies SectionSchema;
