import { objectOf, parsedJson } from '../json-values.ts';

const added = 'response.output_item.added';

/**
 * Finds the items that begin, in the bytes of a reply of the Responses API. LangChain reports calls of MCP servers and of the code
 * interpreter only at their end. The caller bounds the length of lines.
 */
export class BegunItems {
  readonly #take: (item: Readonly<Record<string, unknown>>) => void;
  readonly #decoder = new TextDecoder();
  #line = '';
  #isAdded = false;

  constructor(take: (item: Readonly<Record<string, unknown>>) => void) {
    this.#take = take;
  }

  add(bytes: Uint8Array): void {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    if (line.startsWith('event:')) {
      this.#isAdded = line.slice('event:'.length).trim() === added;
    } else if (this.#isAdded && line.startsWith('data:')) {
      this.#isAdded = false;
      const item = objectOf(objectOf(parsedJson(line.slice('data:'.length)))?.['item']);
      if (item !== undefined) this.#take(item);
    }
  }
}
