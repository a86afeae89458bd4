import { loadSkillName, readSkillResourceName } from '../../../core/tools/tool-name.ts';
import { termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

/** A skill in the list of skills below the instructions. */
const entry = /<skill><name>([^<]*)<\/name><description>([^<]*)<\/description><\/skill>/g;
/** The least number of words that question and description must share. Fewer words are shared by chance. */
const leastHits = 2;
const shortestTerm = 4;

/** Whether a tool only loads skills. The words of its name say nothing about what it is called for. */
export function isSkillTool(name: string): boolean {
  return name === loadSkillName || name === readSkillResourceName;
}

/** The skill of `instructions` whose description shares the most words with a question. Undefined when none fits. */
export function fittingSkill(instructions: string, question: string): string | undefined {
  const asked = [...termsOf(wordsOf(question))].filter((term) => term.length >= shortestTerm);
  const rated = [...instructions.matchAll(entry)].map(([, name = '', description = '']) => {
    const own = termsOf(wordsOf(`${name.replaceAll('-', ' ')} ${description}`));
    return { name, hits: asked.filter((term) => own.has(term)).length };
  });
  const [best] = rated.toSorted((one, other) => other.hits - one.hits);
  return best !== undefined && best.hits >= leastHits ? best.name : undefined;
}

/** The content of a loaded skill, without the text that the server puts around it. */
export function skillInstructions(text: string): string {
  return text
    .replace(/^Instructions of the skill [^\n]*\n+/, '')
    .replace(/\n\nFiles of this skill, for read_skill_resource:\n[^]*$/, '')
    .replace(/^# [^\n]*\n+/, '');
}
