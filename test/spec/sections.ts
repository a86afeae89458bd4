/** The sections of the contract that are built, in whole or in part: each has requirements, no other has. */
export const coveredSections: readonly string[] = [
  ...['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'].map((section) => `wire.md ${section}`),
  ...['1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.20', '2.22', '3', '4.2', '5', '7', '8', '9'].map(
    (section) => `service.md ${section}`,
  ),
  'configuration.md 4',
  'configuration.md 7',
  'extending.md 2',
];
