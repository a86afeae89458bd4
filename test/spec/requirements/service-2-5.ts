import type { Requirement } from '../requirement.ts';

const takeImages = 'test/unit/core/limits/take-images.test.ts';
const turnImages = 'test/unit/core/turn/turn-images.test.ts';
const images = 'test/integration/images.test.ts';

/** The statements whose ids begin with `service-2.5`. */
export const serviceSection2Point5: readonly Requirement[] = [
  {
    id: 'service-2.5-01',
    tests: [
      { file: images, title: 'reach the model over the hub; what is no image is left out with a warning' },
      { file: images, title: 'reach the model over a POST (contract/sse.md#asking)' },
    ],
  },
  {
    id: 'service-2.5-02',
    tests: [
      { file: takeImages, title: 'counts the bytes of the image, not of its base64: %i of 1000' },
      { file: images, title: 'may be as many and as large as the settings say, over both ways in' },
    ],
  },
  {
    id: 'service-2.5-03',
    tests: [
      { file: takeImages, title: 'takes maxImagesPerMessage images and no more; what was left out does not count' },
    ],
  },
  {
    id: 'service-2.5-04',
    tests: [
      { file: takeImages, title: 'takes %s by its content, whatever the sender calls it' },
      { file: takeImages, title: 'leaves out a type that allowedImageTypes does not list' },
    ],
  },
  {
    id: 'service-2.5-05',
    tests: [
      {
        file: turnImages,
        title: 'shows them to the model in each round of their turn, and only their names in later turns',
      },
      { file: turnImages, title: 'has them again when another process goes on with its turn' },
    ],
  },
  {
    id: 'service-2.5-06',
    tests: [
      { file: takeImages, title: 'refuses an image of 50,000 by 50,000 pixels, although the file is small' },
      { file: takeImages, title: 'takes an image at the bounds' },
    ],
  },
  {
    id: 'service-2.5-07',
    tests: [{ file: takeImages, title: 'leaves out HTML behind the first bytes of a PNG, whatever it is called' }],
  },
];
