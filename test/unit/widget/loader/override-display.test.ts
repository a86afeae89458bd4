import { expect, it } from 'vitest';
import { overrideDisplay } from '../../../../src/widget/loader/override-display.ts';

const display = {
  language: 'English',
  theme: 'Default',
  position: 'BottomRight',
  botName: 'Helper AI',
} as const;

// proves service-2.4-01
it('a page chooses how the widget looks, whatever the case (contract/widget.md#looks)', () => {
  const chosen = {
    language: 'italian',
    theme: 'DARK',
    position: 'side-left',
    primaryColor: '#0a7',
    botName: 'Ada',
    welcomeMessage: 'Hello <b>you</b>',
    avatarUrl: '/ada.png',
    inputPlaceholder: 'Ask Ada',
  };
  expect(overrideDisplay(display, chosen)).toEqual({
    language: 'Italian',
    theme: 'Dark',
    position: 'SideLeft',
    primaryColor: '#0a7',
    botName: 'Ada',
    welcomeMessage: ['Hello <b>you</b>'],
    avatarUrl: '/ada.png',
    inputPlaceholder: 'Ask Ada',
  });
});

it('what is not a possible value changes nothing', () => {
  const chosen = {
    ...{ language: 'Klingon', theme: 7, position: null, primaryColor: 'red; x', botName: '' },
    ...{ welcomeMessage: [{ tag: 'iframe' }], avatarUrl: 7, inputPlaceholder: '' },
  };
  expect(overrideDisplay(display, chosen)).toEqual(display);
});

it('a page cannot choose a rule (contract/widget.md#looks)', () => {
  const chosen = { hubPath: 'https://evil.example', imageHosts: ['evil.example'], demo: false };
  expect(overrideDisplay(display, chosen)).toEqual(display);
});
