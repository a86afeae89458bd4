import { randomId } from '../../../core/base/random-id.ts';
import type { PipelineReply, PipelineSink, PipelineToolCall } from '../../../plugin-api/pipeline.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { argumentsText } from '../json-values.ts';
import { countOf, WrongShape } from '../wrong-shape.ts';

/** The most calls of tools that one answer may ask for. */
const mostCalls = 64;

/** Puts together what an agent of a plugin says piece by piece. Plugins are plain JavaScript, so each piece is checked. */
export class AgentReply {
  readonly #sink: PipelineSink;
  readonly #maxLength: number;
  readonly #texts: string[] = [];
  readonly #calls: PipelineToolCall[] = [];
  #inputTokens = 0;
  #outputTokens = 0;
  #argumentsLength = 0;

  /** `sink` gets each text. `maxLength` is that of all arguments together, in UTF-16 units of JSON. */
  constructor(sink: PipelineSink, maxLength: number) {
    this.#sink = sink;
    this.#maxLength = maxLength;
  }

  /** @throws TypeError that says what is wrong with the piece. */
  take(piece: unknown): void {
    if (typeof piece === 'string') {
      this.#texts.push(piece);
      this.#sink.text(piece);
    } else if (hasMembers(piece) && hasMembers(piece['toolCall'])) this.#call(piece['toolCall']);
    else if (hasMembers(piece) && hasMembers(piece['usage'])) this.#use(piece['usage']);
    else throw new WrongShape('a piece of an answer must be a text, { toolCall } or { usage }');
  }

  /** The whole answer, in the form of a model's reply. */
  whole(model: string): PipelineReply {
    return {
      text: this.#texts.join(''),
      toolCalls: this.#calls,
      usage: { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens },
      model,
      finish: this.#calls.length > 0 ? 'tool-calls' : 'stop',
    };
  }

  #call({ name, arguments: given = {} }: Members): void {
    if (typeof name !== 'string' || !hasMembers(given))
      throw new WrongShape('toolCall must have a name, a text, and arguments, an object');
    const written = argumentsText(given) ?? '';
    this.#argumentsLength += name.length + written.length;
    if (this.#calls.length === mostCalls || this.#argumentsLength > this.#maxLength)
      throw new WrongShape('the answer asks for too many tools, or with too many arguments');
    this.#calls.push({ id: randomId(), name, arguments: written });
  }

  #use({ inputTokens, outputTokens }: Members): void {
    this.#inputTokens += countOf(inputTokens);
    this.#outputTokens += countOf(outputTokens);
  }
}
