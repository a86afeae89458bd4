/**
 * Something that a page offers to do for the assistant (contract/ui-actions.md, `SetPage`). The page wrote all of its text, so the text is
 * data.
 */
export interface UiAction {
  /** The name that the page gives to the action. The model knows the action as `page_NAME`. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema that `pageSchemaFault` lets through. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  /** The effect of the action cannot be undone. */
  readonly destructive?: boolean;
}

/** What a page is asked to do. */
export interface UiActionRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The page behind a connection, as far as the assistant may ask it for something (contract/ui-actions.md). */
export interface UiActions {
  /** The actions that the page offers now. */
  readonly offered: readonly UiAction[];
  /**
   * Asks the page, once: MUST NOT ask again whatever happens, and MUST settle within 30 s. Resolves to what the page
   * answered, which is untrusted and may be no JSON.
   * @throws UiActionFault, or the signal's reason.
   */
  run(request: UiActionRequest, signal: AbortSignal): Promise<unknown>;
}
