import type { Requirement } from '../requirement.ts';

const identity = 'test/browser/widget-identity.test.ts';
const pageToken = 'test/unit/widget/transport/page-token.test.ts';
const images = 'test/browser/images.test.ts';
const widgetImages = 'test/unit/app/widget-images.test.ts';
const control = 'test/unit/widget/transport/control-requests.test.ts';

/** The statements whose ids begin with `service-2.20`. */
export const serviceSection2Point20: readonly Requirement[] = [
  {
    id: 'service-2.20-01',
    tests: [
      { file: pageToken, title: 'is asked for anew each time, and only then' },
      {
        file: identity,
        title:
          'chats, asks and acts as that user, and the token is in no address but the hub’s (contract/identity.md#tokens)',
      },
    ],
  },
  {
    id: 'service-2.20-02',
    tests: [{ file: control, title: 'carry the token in their header, and nowhere else' }],
  },
  {
    id: 'service-2.20-03',
    tests: [
      {
        file: 'test/browser/widget-identity.test.ts',
        title: 'a page that gives %s is anonymous to the server: it may ask, and no role is its own',
      },
    ],
  },
  {
    id: 'service-2.20-04',
    tests: [
      { file: 'test/unit/app/client-options.test.ts', title: 'of the tour: %s' },
      {
        file: 'test/browser/tour.test.ts',
        title: 'can be written by hand: tourUrl takes a file of the page, and what is no step is left out',
      },
    ],
  },
  {
    id: 'service-2.20-05',
    tests: [
      { file: images, title: 'are not offered %s' },
      {
        file: images,
        title: 'are picked, shown, removed by the keyboard, sent and seen in the transcript, and axe finds nothing',
      },
    ],
  },
  {
    id: 'service-2.20-06',
    tests: [
      { file: widgetImages, title: 'has the defaults of contract/widget.md#pictures' },
      {
        file: images,
        title: 'are refused with a reason beside the text: wrong types, too many, and what cannot be made small enough',
      },
    ],
  },
  {
    id: 'service-2.20-07',
    tests: [
      {
        file: 'test/browser/options.test.ts',
        title: 'has the widget chat, ask and answer at the server it names, not where its script came from',
      },
      { file: 'test/unit/config/rules.test.ts', title: 'may not say %s' },
    ],
  },
  {
    id: 'service-2.20-08',
    tests: [
      { file: 'test/unit/app/widget-options.test.ts', title: '%s is that of client where it has one' },
      { file: 'test/unit/app/widget-options.test.ts', title: 'welcomeMessage too' },
    ],
  },
];
