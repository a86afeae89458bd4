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

/** The same as a JSON Schema. */
export const tourSchema = {
  type: 'object',
  required: ['version', 'steps'],
  properties: {
    version: { type: 'string' },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'text'],
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          text: { type: 'string' },
          page: { type: 'string' },
          url: { type: 'string' },
          selector: { type: 'string' },
          placement: { enum: ['top', 'bottom', 'left', 'right'] },
        },
      },
    },
  },
} as const;
