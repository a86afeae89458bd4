import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src/config/duration.ts';
import { parseSize } from '../../../src/config/size.ts';

describe('parseDuration (contract/configuration.md#reading)', () => {
  it.each([
    ['0', 0],
    ['0ms', 0],
    // proves configuration-1-02
    ['500ms', 500],
    ['15s', 15_000],
    ['2m', 120_000],
    ['1.5h', 5_400_000],
    ['7d', 604_800_000],
    [' 30s ', 30_000],
    ['-1s', -1000],
    // proves configuration-1-02
    ['00:00:15', 15_000],
    ['7.00:00:00', 604_800_000],
    ['1:02:03', 3_723_000],
    ['00:00:00.25', 250],
    ['-00:00:01', -1000],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    // proves configuration-1-02
    '15',
    '15 seconds',
    's',
    '1m30s',
    '00:60:00',
    '00:00:60',
    '24:00:00',
    '1e3s',
    '15S',
    '٣s',
    '9'.repeat(400) + 'd',
  ])('refuses %s', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('parseSize (contract/configuration.md#reading)', () => {
  it.each([
    ['0', 0],
    // proves configuration-1-03
    ['1048576', 1_048_576],
    ['1KiB', 1024],
    // proves configuration-1-03
    ['4MiB', 4_194_304],
    ['1.5 GiB', 1_610_612_736],
    ['4mib', 4_194_304],
  ])('reads %s', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each([
    '',
    '-1',
    // proves configuration-1-03
    '4MB',
    '4 M',
    'MiB',
    '0.3KiB',
    '99999999999999GiB',
  ])('refuses %s', (text) => {
    expect(parseSize(text)).toBeUndefined();
  });
});
