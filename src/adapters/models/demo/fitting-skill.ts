import { loadSkillName, readSkillResourceName } from '../../../core/tools/tool-name.ts';
import { termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

/** A skill as it stands below the instructions. */
const entry = /<skill><name>([^<]*)<\/name><description>([^<]*)<\/description><\/skill>/g;
/** Fewer words in common happen by chance. */
const leastHits = 2;
const shortestTerm = 4;

/** Whether a tool only loads skills: it is called for a skill, never for what its name says. */
export function isSkillTool(name: string): boolean {
  return name === loadSkillName || name === readSkillResourceName;
}

/** The skill of `instructions` whose description has most words of a question; undefined when none fits. */
export function fittingSkill(instructions: string, question: string): string | undefined {
  const asked = [...termsOf(wordsOf(question))].filter((term) => term.length >= shortestTerm);
  const rated = [...instructions.matchAll(entry)].map(([, name = '', description = '']) => {
    const own = termsOf(wordsOf(`${name.replaceAll('-', ' ')} ${description}`));
    return { name, hits: asked.filter((term) => own.has(term)).length };
  });
  const [best] = rated.toSorted((one, other) => other.hits - one.hits);
  return best !== undefined && best.hits >= leastHits ? best.name : undefined;
}

/** What a loaded skill says, without what the server puts around it. */
export function skillInstructions(text: string): string {
  return text
    .replace(/^Instructions of the skill [^\n]*\n+/, '')
    .replace(/\n\nFiles of this skill, for read_skill_resource:\n[^]*$/, '')
    .replace(/^# [^\n]*\n+/, '');
}
