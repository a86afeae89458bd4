/** The side of its element on which a step of the tour is shown. */
export type Placement = 'top' | 'bottom' | 'left' | 'right';

export const placements: readonly Placement[] = ['top', 'bottom', 'left', 'right'];

/** The longest selector of a page, in characters. */
export const longestSelector = 500;

/** A page of the host application the model may send the user to (contract/plugins.md#plugins). */
export interface Page {
  readonly name: string;
  readonly title: string;
  /** Relative to the host application, or https; may hold `{name}` placeholders. */
  readonly url: string;
  readonly description: string;
  /** Names that the model may add to the query of `url`. Left out, none. */
  readonly query?: readonly string[];
  readonly requiredRoles: readonly string[];
  /** CSS selector of the element that the tour points at (contract/widget.md#tour). */
  readonly selector?: string;
  readonly placement?: Placement;
}
