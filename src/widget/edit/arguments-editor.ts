import { ArgumentField } from './argument-field.ts';
import type { EditOptions, Editor } from './edit-contract.ts';

/** A field for each argument. */
export class ArgumentsEditor implements Editor {
  readonly element = document.createElement('div');
  readonly #fields: readonly (readonly [name: string, field: ArgumentField])[];

  constructor({ arguments: asked, idPrefix, texts }: EditOptions) {
    this.element.className = 'arguments';
    this.#fields = asked.map((argument, index) => [
      argument.name,
      new ArgumentField(argument, `${idPrefix}-${String(index)}`, texts),
    ]);
    const fieldsOf = (isUndeclared: boolean): readonly HTMLElement[] =>
      this.#fields.flatMap(([, field], index) =>
        (asked[index]?.undeclared === true) === isUndeclared ? [field.element] : [],
      );
    this.element.append(...fieldsOf(false));
    const undeclared = fieldsOf(true);
    if (undeclared.length > 0) this.element.append(framed(texts.undeclared, undeclared));
  }

  focus(): void {
    this.#fields[0]?.[1].focus();
  }

  read(): Readonly<Record<string, unknown>> | null | undefined {
    const values: [string, unknown][] = [];
    let isChanged = false;
    for (const [name, field] of this.#fields) {
      const read = field.read();
      if ('fault' in read) {
        field.complain(read.fault);
        field.focus();
        return undefined;
      }
      isChanged ||= read.isChanged;
      values.push([name, read.value]);
    }
    // Object.fromEntries sets a name like `__proto__` as an ordinary property.
    return isChanged ? Object.fromEntries(values) : null;
  }
}

/** The fields of arguments that the action does not declare, in a frame that says so. */
function framed(sentence: string, fields: readonly HTMLElement[]): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'undeclared';
  const told = document.createElement('p');
  told.textContent = sentence;
  frame.append(told, ...fields);
  return frame;
}
