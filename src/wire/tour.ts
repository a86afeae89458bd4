/** One step of the onboarding tour (contract/widget.md#tour). */
export interface TourStep {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Name of the page it is about. */
  readonly page?: string;
  /** Address of that page; left out when it needs values. */
  readonly url?: string;
  /** CSS selector of the element it stands beside. */
  readonly selector?: string;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
}

/** What `GET /helper/tour` answers. */
export interface Tour {
  /** Changes with what the tour shows: whoever has seen this one need not be asked again. */
  readonly version: string;
  readonly steps: readonly TourStep[];
}
