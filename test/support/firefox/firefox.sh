#!/bin/sh
# What Playwright starts as its Firefox.
exec "$HELPER_TEST_NODE" "$(dirname "$0")/drive-firefox.ts" "$@"
