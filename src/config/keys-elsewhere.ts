/** Keys that users look for in this file and that are set elsewhere, by where: what a message says of them. */
const placesByKeys: readonly (readonly [keys: readonly string[], place: string])[] = [
  [['scanAssemblies'], 'name the sources of actions in actions.plugins, actions.callbacks and actions.openapi'],
  [
    ['chatReducer', 'chatHistoryProviderFactory', 'memoryStore'],
    'a plugin has it under providers (docs/guides/plugins.md)',
  ],
  [
    ['configureChatClientPipeline', 'useStrongModelAsync', 'transformClaims', 'onFeedback'],
    'a plugin has it under hooks (docs/guides/plugins.md)',
  ],
  [['specialists', 'teams'], 'a plugin exports them, or files in declarative.directory define them'],
  [
    ['accessTokenProvider', 'accessTokenFactory'],
    'the page gives the widget its tokens with HelperWidget.setTokenProvider (docs/guides/widget.md)',
  ],
];

const places = new Map(placesByKeys.flatMap(([keys, place]) => keys.map((key) => [key.toLowerCase(), place] as const)));

/** Where a key is set that is none of this file, such as `chatReducer`. Undefined for keys that nobody knows. */
export function placeElsewhere(key: string): string | undefined {
  return places.get(key.toLowerCase());
}
