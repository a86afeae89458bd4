/** A page of the host application the model may send the user to (extending.md 1). */
export interface Page {
  readonly name: string;
  readonly title: string;
  /** Relative to the host application, or https; may hold `{name}` placeholders. */
  readonly url: string;
  readonly description: string;
  readonly requiredRoles: readonly string[];
}
