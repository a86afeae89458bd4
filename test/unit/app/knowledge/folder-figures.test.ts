import { describe, expect, it } from 'vitest';
import { folderFigures } from '../../../../src/app/knowledge/folder-figures.ts';

const state = { phase: 'ready', documents: 3, chunks: 9, languages: [] } as const;
const named = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ file: `${name}${String(index)}`, reason: 'is empty' }));

describe('a folder on the dashboard (contract/operations.md#dashboard)', () => {
  // proves service-2.15-49
  it('names 20 files at most, and counts all', () => {
    const [faults, files] = [named(15, 'broken'), named(15, 'other')];
    const shown = folderFigures('handbook', { ...state, faults, faultCount: 150, passedOver: { count: 70, files } });
    expect(shown).toMatchObject({ source: 'handbook', documents: 3, leftOut: 150, passedOver: 70 });
    expect(shown.files).toEqual([...faults, ...files.slice(0, 5)]);
  });

  // proves service-2.15-49
  it('shows the end of a long name, on one line', () => {
    const faults = [{ file: `${'deep/'.repeat(100)}a\u202eb\n😀.pdf`, reason: 'is empty' }];
    const none = { count: 0, files: [] };
    const [file] = folderFigures('handbook', { ...state, faults, faultCount: 1, passedOver: none }).files;
    expect(file?.file).toMatch(/^….*\/a b 😀\.pdf$/u);
    expect(Array.from(file?.file ?? '')).toHaveLength(120);
  });
});
