/** One step of the onboarding tour (contract/widget.md#tour). */
export interface TourStep {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The name of the page that the step is about. */
  readonly page?: string;
  /** The address of that page. Left out when the address needs values. */
  readonly url?: string;
  /** The CSS selector of the element beside which the step is shown. */
  readonly selector?: string;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right';
}

/** What `GET /helper/tour` answers. */
export interface Tour {
  /** Changes whenever the content of the tour changes. A user who has seen this version need not be asked again. */
  readonly version: string;
  readonly steps: readonly TourStep[];
}

/** `Tour` as a JSON Schema. */
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
