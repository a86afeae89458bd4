import type { ChatMessage } from '../ports/chat-model.ts';
import type { Skill } from '../ports/skill-source.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { hideLostSkills } from './hide-lost-skills.ts';
import { skillTools } from './skill-tools.ts';

const introduction = `A skill is a set of instructions for one kind of task. When a task fits the description of a skill, call load_skill with its name before anything else, and do what it says. Call read_skill_resource for a file that the skill names.`;

/** The skills that one user is offered: the text about them for the model, and the tools that load them (contract/skills.md#prompt). */
export class OfferedSkills {
  /** The text that follows the instructions of the coordinator. Empty without a skill. */
  readonly #told: string;
  readonly #skills: readonly Skill[];
  readonly #names: ReadonlySet<string>;
  readonly #toolboxes = new WeakMap<Toolbox, Toolbox>();

  constructor(skills: readonly Skill[]) {
    this.#skills = skills;
    this.#names = new Set(skills.map(({ name }) => name));
    this.#told = skills.length === 0 ? '' : `\n\n${introduction}\n${catalogue(skills)}`;
  }

  /** The instructions, and after them names and descriptions of the skills. */
  beside(instructions: string): string {
    return instructions + this.#told;
  }

  /** The skills with one of these names. */
  only(names: readonly string[]): OfferedSkills {
    const chosen = this.#skills.filter(({ name }) => names.includes(name));
    return chosen.length === 0 ? noSkills : new OfferedSkills(chosen);
  }

  /** The history, without the texts of skills that this user is not offered any more. */
  within(history: readonly ChatMessage[]): readonly ChatMessage[] {
    return hideLostSkills(history, (name) => this.#names.has(name));
  }

  /**
   * The toolbox with the tools that load skills. The same toolbox always gives the same result. Without a skill the toolbox is returned
   * unchanged.
   */
  addTo(toolbox: Toolbox): Toolbox {
    if (this.#skills.length === 0) return toolbox;
    const known = this.#toolboxes.get(toolbox);
    if (known !== undefined) return known;
    const joined = new Toolbox([...toolbox.tools, ...skillTools(this.#skills)], toolbox.pages);
    this.#toolboxes.set(toolbox, joined);
    return joined;
  }
}

/** What a server without skills offers everybody. */
export const noSkills = new OfferedSkills([]);

function catalogue(skills: readonly Skill[]): string {
  const entries = skills.map(
    ({ name, description }) =>
      `<skill><name>${escaped(name)}</name><description>${escaped(description)}</description></skill>`,
  );
  return ['<available_skills>', ...entries, '</available_skills>'].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
