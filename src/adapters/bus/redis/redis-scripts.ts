/**
 * The scripts that run in Redis. Each one looks and acts in one step. All keys of a script are in one slot of a Redis Cluster.
 */

/**
 * Shows that this replica lives, and sends a text to itself. Gives the clock of Redis, and whether this replica had been forgotten: then
 * Redis may have lost other replicas too, and a missing one is not gone for sure.
 * KEYS: node, young. ARGV: ms of the node, ms of young, whether it was shown before, channel, text.
 */
export const pulseScript = `
local forgotten = ARGV[3] == '1' and redis.call('EXISTS', KEYS[1]) == 0
if forgotten then redis.call('SET', KEYS[2], '1', 'PX', ARGV[2]) end
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
redis.call('PUBLISH', ARGV[4], ARGV[5])
local time = redis.call('TIME')
return {time[1], time[2], forgotten and 1 or 0}`;

/**
 * Sends a text to a replica that lives, or that may live although it was forgotten.
 * KEYS: its node, own node, young. ARGV: channel, text, until (ms of the clock of Redis).
 */
export const sendScript = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[3]) then return 'late' end
if redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 1 and redis.call('EXISTS', KEYS[3]) == 0 then return 'gone' end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 'sent'`;

/** Owns names, or keeps them. KEYS: names. ARGV: replica, then ms of each name. Gives 1 for each name that is owned now, and else 0. */
export const ownScript = `
local owned = {}
for index, key in ipairs(KEYS) do
  local owner = redis.call('GET', key)
  local mine = not owner or owner == ARGV[1]
  if mine then redis.call('SET', key, ARGV[1], 'PX', ARGV[index + 1]) end
  owned[index] = mine and 1 or 0
end
return owned`;

/** Lets go of names that this replica owns. KEYS: names. ARGV: replica. */
export const disownScript = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 1`;

/** Counts in a window of fixed length. KEYS: counter. ARGV: ms of the window, most. Gives whether it was counted, and the ms left. */
export const countScript = `
local left = redis.call('PTTL', KEYS[1])
local count = left > 0 and tonumber(redis.call('GET', KEYS[1])) or 0
if left > 0 and count >= tonumber(ARGV[2]) then return {0, left} end
if count >= tonumber(ARGV[2]) then return {0, tonumber(ARGV[1])} end
redis.call('INCR', KEYS[1])
if left <= 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {1, left}`;
