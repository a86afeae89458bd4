import { describe, expect, it } from 'vitest';
import { readTour } from '../../../../src/widget/tour/fetch-tour.ts';

const step = { id: 'a', title: 'A', text: 'B' };

describe('the steps of a tour, which an operator may have written (contract/widget.md#tour, TourUrl)', () => {
  it('are taken as they are', () => {
    const full = { ...step, page: 'p', url: '/p', selector: '#p', placement: 'left' };
    expect(readTour({ version: '1', steps: [step, full], more: 1 })).toEqual({ version: '1', steps: [step, full] });
  });

  it('are left out where they are none, and lose what is not possible', () => {
    const steps = [
      null,
      'x',
      { id: 'b' },
      { title: 'c' },
      { ...step, placement: 'above', url: 5, selector: '', text: {} },
    ];
    expect(readTour({ steps })).toEqual({ version: '', steps: [{ id: 'a', title: 'A', text: '' }] });
  });

  it('are at most fifty, of 2,000 characters', () => {
    const { steps } = readTour({ steps: Array.from({ length: 60 }, () => ({ ...step, text: 'x'.repeat(3000) })) });
    expect([steps.length, steps[0]?.text.length]).toEqual([50, 2000]);
  });

  it.each([
    ['nothing', null],
    ['text', 'x'],
    ['no steps', { version: '1', steps: [] }],
    ['no list', { steps: {} }],
  ])('are refused when there are none: %s', (_title, json) => {
    expect(() => readTour(json)).toThrow('the tour has no steps');
  });
});
