import { randomId } from '../../../core/base/random-id.ts';
import { loadSkillName } from '../../../core/tools/tool-name.ts';
import type { ChatModel, ModelReply, ModelRequest, ModelToolCall, ReplySink } from '../../../core/ports/chat-model.ts';
import type { Language } from '../../../core/language/language.ts';
import { Conversation, ownWords } from './conversation.ts';
import { afterHandOver, handOver, heardByAgent, isHandOverTool, leaderAnswer } from './demo-agents.ts';
import { extractionAnswer, memoryReply } from './demo-memory.ts';
import type { DemoOptions } from './demo-options.ts';
import type { DemoTexts } from './demo-texts.ts';
import { safetyAnswer } from './demo-safety.ts';
import { fittingSkill, isSkillTool } from './fitting-skill.ts';
import { introduceAbilities } from './introduce-app.ts';
import { type PlannedCall, planReply, type ReplyPlan } from './plan-reply.ts';
import { quoteDocument } from './quote-document.ts';
import { streamWords } from './stream-words.ts';
import { demoTexts } from './texts.ts';
import { type DemoTool, demoTool } from './tool-schema.ts';
import { wordOutcome } from './word-outcome.ts';

/** A rough count, as real models give it. It is good enough for the numbers of a demonstration. */
const charactersPerToken = 4;

/**
 * The embedded model (contract/models.md). It needs no key and no network, and gives the same answer to the same conversation. It shows
 * what the product does around a model. It understands little, and says that it is a demo.
 */
export class DemoChatModel implements ChatModel {
  readonly model = 'demo';
  readonly provider = 'demo';
  readonly isDemo = true;
  readonly #options: DemoOptions;
  readonly #texts: DemoTexts;
  readonly #wordDelayMs: number;
  readonly #inLanguages = new Map<string, DemoChatModel>();

  constructor(options: DemoOptions & { readonly wordDelayMs: number }) {
    this.#options = options;
    this.#texts = demoTexts[options.language];
    this.#wordDelayMs = options.wordDelayMs;
  }

  async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
    request.signal.throwIfAborted();
    const spoken = this.#spoken(request);
    if (spoken !== this) return spoken.run(request, sink);
    const { text: answer, calls } = this.#decide(request);
    const text = this.#withBlindness(answer, request);
    await streamWords(text, { sink, signal: request.signal, flow: request.flow, wordDelayMs: this.#wordDelayMs });
    return {
      text,
      toolCalls: calls.map(toolCall),
      usage: { inputTokens: tokensIn(request), outputTokens: Math.ceil(text.length / charactersPerToken) },
      model: this.model,
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
    };
  }

  /** This model in the language that the instructions ask for. */
  #spoken({ instructions }: ModelRequest): DemoChatModel {
    const [, asked = ''] = /^Always answer in (\w+)\.$/m.exec(instructions) ?? [];
    if (asked === this.#options.language || !isLanguage(asked)) return this;
    const known =
      this.#inLanguages.get(asked) ??
      new DemoChatModel({ ...this.#options, language: asked, wordDelayMs: this.#wordDelayMs });
    this.#inLanguages.set(asked, known);
    return known;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #decide(request: ModelRequest): { readonly text: string; readonly calls: readonly PlannedCall[] } {
    const extracted = extractionAnswer(request) ?? safetyAnswer(request) ?? leaderAnswer(request);
    if (extracted !== undefined) return { text: extracted, calls: [] };
    const conversation = new Conversation(heardByAgent(request.messages));
    const handedOver = afterHandOver(conversation);
    if (handedOver !== undefined) return { text: handedOver, calls: [] };
    const tools = request.tools.filter(({ name }) => !isSkillTool(name) && !isHandOverTool(name)).map(demoTool);
    const called = new Set(conversation.callsOfThisTurn().map(({ name }) => name));
    const { language, titleOf } = this.#options;
    const pages = this.#options.pages();
    const plan = planReply({ language, pages, tools, conversation, called });
    const isNew = plan.kind === 'call' && !plan.calls.some(({ name }) => called.has(name));
    const required = request.toolChoice === 'required' ? requiredCalls(plan, tools) : [];
    if (required.length > 0) return { text: '', calls: required };
    const taker = called.size > 0 ? undefined : takerFor(plan, conversation, request);
    if (taker !== undefined) return { text: '', calls: [taker] };
    const latest = conversation.latestCalls();
    // A failed call ends the request: no further call is built on it.
    const mayGoOn = latest.every(({ status }) => status === 'succeeded');
    if (called.size > 0 && !(mayGoOn && (isNew || plan.kind === 'ask'))) {
      const words = latest.map((call) => wordOutcome(call, { texts: this.#texts, pages, titleOf }));
      return { text: [...new Set(words)].join('\n\n'), calls: [] };
    }
    const remembered = plan.kind === 'call' ? undefined : this.#remember(conversation, request);
    if (remembered !== undefined) return { text: remembered, calls: [] };
    const skill = skillFor(plan, conversation, request);
    if (skill !== undefined) return { text: '', calls: [skill] };
    const quote = quoteFor(plan, conversation, language);
    if (quote !== undefined) return { text: quote, calls: [] };
    if (plan.kind !== 'call') return { text: this.#say(plan, tools), calls: [] };
    if (request.toolChoice === 'none') return { text: this.#texts.unfinished, calls: [] };
    return { text: '', calls: plan.calls };
  }

  #remember(conversation: Conversation, { instructions }: ModelRequest): string | undefined {
    const [asked] = conversation.userMessages();
    return asked && memoryReply(asked.text, ownWords(asked.text), { instructions, texts: this.#texts });
  }

  /** Says that images were not seen. The answer to the rest of the message follows. */
  #withBlindness(answer: string, { messages }: ModelRequest): string {
    const asked = messages.findLast(({ role }) => role === 'user');
    if (answer === '' || asked?.role !== 'user' || asked.images === undefined) return answer;
    return ownWords(asked.text) === '' ? this.#texts.cannotSee : `${this.#texts.cannotSee}\n\n${answer}`;
  }

  #say(plan: Exclude<ReplyPlan, { readonly kind: 'call' }>, tools: readonly DemoTool[]): string {
    const texts = this.#texts;
    if (plan.kind === 'ask') return texts.ask(plan.parameter.label);
    const { appName, appDescription, pages, titleOf } = this.#options;
    const abilities = introduceAbilities(tools, { texts, pages: pages(), titleOf });
    switch (plan.about) {
      case 'greeting':
        return texts.greeting(appName);
      case 'thanks':
        return texts.thanks;
      case 'about':
        return [texts.about(appName, appDescription), texts.isDemo].join('\n\n');
      case 'help':
        return [abilities, texts.isDemo].join('\n\n');
      case 'unclear':
        return [texts.unclear, abilities].join('\n\n');
    }
  }
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(demoTexts, name);
}

/** The calls for a request that requires a call. When the message asks for none, a tool without required arguments is called. */
function requiredCalls(plan: ReplyPlan, tools: readonly DemoTool[]): readonly PlannedCall[] {
  if (plan.kind === 'call') return plan.calls;
  const tool = tools.find(({ parameters }) => !parameters.some(({ isRequired }) => isRequired));
  return tool === undefined ? [] : [{ name: tool.name, arguments: {} }];
}

/** The call that hands the request over, when it names an agent, or when no tool can do what was asked. */
function takerFor(plan: ReplyPlan, conversation: Conversation, request: ModelRequest): PlannedCall | undefined {
  const [asked] = conversation.userMessages();
  if (asked === undefined) return undefined;
  const question = ownWords(asked.text);
  return handOver(request, question, !isOpen(plan, question));
}

/** The skill to load when no tool can do what was asked. */
function skillFor(plan: ReplyPlan, conversation: Conversation, request: ModelRequest): PlannedCall | undefined {
  const [asked] = conversation.userMessages();
  if (asked === undefined || request.toolChoice === 'none') return undefined;
  const question = ownWords(asked.text);
  const skillName = isOpen(plan, question) ? fittingSkill(request.instructions, question) : undefined;
  return skillName === undefined ? undefined : { name: loadSkillName, arguments: { skillName } };
}

/** A quotation from documents when no tool can do what was asked. */
function quoteFor(plan: ReplyPlan, conversation: Conversation, language: Language): string | undefined {
  const [asked] = conversation.userMessages();
  if (asked === undefined) return undefined;
  const question = ownWords(asked.text);
  return isOpen(plan, question) ? quoteDocument(asked.text, question, language) : undefined;
}

/** Whether no tool can do what was asked, or the model could only answer a question with a question. */
function isOpen(plan: ReplyPlan, question: string): boolean {
  return (plan.kind === 'say' && plan.about === 'unclear') || (plan.kind === 'ask' && /[?？]$/.test(question));
}

function toolCall(call: PlannedCall): ModelToolCall {
  return { id: `demo_${randomId()}`, name: call.name, arguments: JSON.stringify(call.arguments) };
}

function tokensIn({ instructions, messages }: ModelRequest): number {
  const length = messages.reduce((sum, { text }) => sum + text.length, instructions.length);
  return Math.ceil(length / charactersPerToken);
}
