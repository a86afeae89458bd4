import type { Requirement } from '../requirement.ts';

const loadSettings = 'test/unit/config/load-settings.test.ts';
const folders = 'test/unit/adapters/skills/skill-folder.test.ts';
const live = 'test/unit/core/skills/live-skills.test.ts';
const skills = 'test/integration/skills.test.ts';
const opened = 'test/unit/app/open-skills.test.ts';
const compact = 'test/unit/core/history/compact-history.test.ts';
const reload = 'test/integration/reload.test.ts';

/** The statements of `docs/contract/skills.md`. */
export const skillRequirements: readonly Requirement[] = [
  { id: 'service-2.12-21', tests: [{ file: loadSettings, title: 'fills in every default of contract/skills.md' }] },
  {
    id: 'service-2.12-01',
    tests: [
      {
        file: folders,
        title: 'has a skill for each folder with a SKILL.markdown, with all that its front matter says',
      },
    ],
  },
  {
    id: 'service-2.12-02',
    tests: [{ file: folders, title: 'leaves out a skill with %s, and says why; the others serve' }],
  },
  {
    id: 'service-2.12-03',
    tests: [{ file: folders, title: 'says which keys it does not go by, and offers the skill' }],
  },
  {
    id: 'service-2.12-04',
    tests: [
      { file: folders, title: 'takes 200 skills at most' },
      { file: folders, title: 'leaves out a skill with %s, and says why; the others serve' },
    ],
  },
  {
    id: 'service-2.12-05',
    tests: [
      { file: folders, title: 'leaves out what is linked from elsewhere, and takes what is linked within' },
      { file: folders, title: 'leaves out what is not text, no file, or not there, without waiting for a pipe' },
    ],
  },
  {
    id: 'service-2.12-06',
    tests: [
      { file: folders, title: 'is named with at most 99 others, and not deeper than five folders' },
      { file: folders, title: 'is not read for %s' },
    ],
  },
  {
    id: 'service-2.12-07',
    tests: [
      { file: folders, title: 'is not read for %s' },
      { file: folders, title: 'is neither named nor read when it is a link out of its skill' },
    ],
  },
  { id: 'service-2.12-08', tests: [{ file: folders, title: 'is not read when it is %s' }] },
  {
    id: 'service-2.12-09',
    tests: [
      {
        file: live,
        title: 'are names and descriptions in the order of the names, escaped, and no word of what they say',
      },
      { file: skills, title: 'is told of a skill, loads it, and reads a file that it names' },
    ],
  },
  {
    id: 'service-2.12-10',
    tests: [
      { file: live, title: 'leave prompt and tools alone where there are none' },
      { file: skills, title: 'is told of no skill, and has no tool for them, while enableSkills is off' },
    ],
  },
  { id: 'service-2.12-11', tests: [{ file: skills, title: 'that asks for %s is told so' }] },
  {
    id: 'service-2.12-12',
    tests: [
      { file: skills, title: 'is asked about before a skill is loaded, where requiresApproval says so' },
      { file: skills, title: 'is told of a skill, loads it, and reads a file that it names' },
    ],
  },
  { id: 'service-2.12-13', tests: [{ file: compact, title: 'leaves the instructions of a skill whole' }] },
  {
    id: 'service-2.12-14',
    tests: [
      { file: live, title: 'are those of a user with %s' },
      { file: skills, title: 'has the skills of a tenant only as one of its users' },
    ],
  },
  {
    id: 'service-2.12-15',
    tests: [
      { file: skills, title: 'who is %s neither sees nor loads it, nor reads its files' },
      {
        file: skills,
        title: 'is told apart from the one who has it, who loads it over the hub and in the same process',
      },
    ],
  },
  {
    id: 'service-2.12-22',
    tests: [{ file: skills, title: 'goes on without what was loaded of a skill whose role it has lost' }],
  },
  {
    id: 'service-2.12-16',
    tests: [{ file: folders, title: 'leaves out a skill with %s, and says why; the others serve' }],
  },
  {
    id: 'service-2.12-17',
    tests: [
      { file: live, title: 'are read by every new conversation, and stay the same in one' },
      { file: skills, title: 'is there for the next conversation, and the one that runs keeps its own' },
    ],
  },
  {
    id: 'service-2.12-18',
    tests: [
      { file: live, title: 'are shared until skillsRefreshInterval has passed' },
      { file: skills, title: 'waits for skillsRefreshInterval where that is set' },
    ],
  },
  { id: 'service-2.12-19', tests: [{ file: reload, title: 'offers skills from now on, or no more' }] },
  {
    id: 'service-2.12-20',
    tests: [{ file: opened, title: 'logs a fault when it appears, and again only after it was gone' }],
  },
  {
    id: 'configuration-6-20',
    tests: [
      { file: skills, title: 'are looked up in the folder, then in plugins, then in skillSources' },
      { file: skills, title: 'of the folder stay taken for users who may not use it' },
    ],
  },
  { id: 'configuration-6-21', tests: [{ file: skills, title: 'of skillSources alone are filtered by %s' }] },
  { id: 'configuration-6-22', tests: [{ file: skills, title: 'of skillSources alone are filtered by %s' }] },
  { id: 'configuration-6-23', tests: [{ file: skills, title: 'refuses a folder of %s that is not there' }] },
  {
    id: 'configuration-1-40',
    tests: [{ file: skills, title: 'names skills with their roles, and those that are left out with file and reason' }],
  },
  {
    id: 'extending-1-23',
    tests: [
      { file: skills, title: 'are loaded as those of folders are, with their texts and roles' },
      { file: skills, title: 'keep the server from starting with %s' },
    ],
  },
  {
    id: 'extending-1-24',
    tests: [{ file: skills, title: 'are loaded as those of folders are, with their texts and roles' }],
  },
  {
    id: 'extending-1-25',
    tests: [{ file: skills, title: 'come from its skillSources too, which are asked again; a faulty one is left out' }],
  },
  {
    id: 'extending-1-26',
    tests: [
      { file: opened, title: 'keeps what it gave before, and is not asked again until it answers' },
      { file: skills, title: 'come from its skillSources too, which are asked again; a faulty one is left out' },
    ],
  },
];
