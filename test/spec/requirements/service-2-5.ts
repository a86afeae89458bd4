import type { Requirement } from '../requirement.ts';

const takeImages = 'test/unit/core/limits/take-images.test.ts';
const turnImages = 'test/unit/core/turn/turn-images.test.ts';
const images = 'test/integration/images.test.ts';

/** service.md 2.5. */
export const serviceSection2Point5: readonly Requirement[] = [
  {
    id: 'service-2.5-01',
    source: 'service.md 2.5',
    says: 'EnableImageInput: images arrive as attachments of SendMessage and of POST /helper/chat, and reach the model.',
    tests: [
      { file: images, title: 'reach the model over the hub; what is no image is left out with a warning' },
      { file: images, title: 'reach the model over a POST (wire.md 4)' },
    ],
  },
  {
    id: 'service-2.5-02',
    source: 'service.md 2.5',
    says: 'MaxImageBytes: the maximum size of one image, checked on the server.',
    tests: [
      { file: takeImages, title: 'counts the bytes of the image, not of its base64: %i of 1000' },
      { file: images, title: 'may be as many and as large as the settings say, over both ways in' },
    ],
  },
  {
    id: 'service-2.5-03',
    source: 'service.md 2.5',
    says: 'MaxImagesPerMessage is checked on the server.',
    tests: [
      { file: takeImages, title: 'takes maxImagesPerMessage images and no more; what was left out does not count' },
    ],
  },
  {
    id: 'service-2.5-04',
    source: 'service.md 2.5',
    says: 'AllowedImageTypes: other types are dropped with a warning.',
    tests: [
      { file: takeImages, title: 'takes %s by its content, whatever the sender calls it' },
      { file: takeImages, title: 'leaves out a type that allowedImageTypes does not list' },
    ],
  },
  {
    id: 'service-2.5-05',
    source: 'service.md 2.5',
    says: "The images are the model's for their turn; the conversation keeps their names.",
    tests: [
      {
        file: turnImages,
        title: 'shows them to the model in each round of their turn, and only their names in later turns',
      },
      { file: turnImages, title: 'has them again when another process goes on with its turn' },
    ],
  },
];
