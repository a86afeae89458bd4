import type { ConfirmationRequestedFields } from '../../wire/hub-events.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';

/** One argument of a question. */
export type Argument = ConfirmationRequestedFields['arguments'][number];

export interface EditOptions {
  readonly arguments: readonly Argument[];
  /** Keeps the fields of one question apart from those of another. */
  readonly idPrefix: string;
  readonly texts: Pick<
    WidgetTexts,
    'changedFrom' | 'notFromUser' | 'undeclared' | 'hiddenInside' | 'notANumber' | 'notJson'
  >;
}

/** The fields in which a user changes the arguments of a question before approving (contract/confirmations.md#answering, `editable`). */
export interface Editor {
  readonly element: HTMLElement;
  focus(): void;
  /**
   * Returns all arguments if the user changed any, and null if the user changed none. Returns undefined when a field's content is no value.
   * That field then has the focus and shows why.
   */
  read(): Readonly<Record<string, unknown>> | null | undefined;
}

/** What the edit chunk exports. */
export interface EditModule {
  readonly editArguments: (options: EditOptions) => Editor;
  readonly styles: string;
}
