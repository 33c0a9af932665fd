import { statfs } from 'node:fs/promises'
import type { Call } from '@kit/contract'
import { fail } from '@kit/contract'
import type { App } from './context.ts'
import { httpErrors } from './failures.ts'

const fresh_ms = 1000
const mebi = 1024 * 1024

/** Keeps a reserve on the disk of the data directory, so that a full disk is refused in words before the database meets it. */
export type StorageGuard = { refuseWhenFull(call: Call): Promise<void> }

/**
 * Asks the disk at most once a second. Refused are writes of signed-in people (the embedded database lies on that disk), beside a
 * PostgreSQL server uploads only; logging in and reading go on.
 */
export function guardStorage({ config, log }: App): StorageGuard {
  const { CAMPUS_DATA_DIR: dir, CAMPUS_MIN_FREE_MB: reserve, DATABASE_URL: url } = config
  const is_watched = dir !== 'memory://' && reserve > 0
  let asked_at = 0
  let is_full = false
  const look = async () => {
    asked_at = performance.now()
    const { bavail, bsize } = await statfs(dir)
    const is_now = bavail * bsize < reserve * mebi
    if (is_now !== is_full) log.error({ dir, reserve_mb: reserve }, is_now ? 'too little free space: writes are refused' : 'enough free space again')
    is_full = is_now
  }
  return {
    async refuseWhenFull(call) {
      if (!is_watched || !needsSpace(call, url !== undefined)) return
      if (is_full || performance.now() - asked_at > fresh_ms) await look()
      if (is_full) throw fail(httpErrors.storageFull)
    },
  }
}

function needsSpace(call: Call, has_server: boolean): boolean {
  if (call.details.upload) return true
  return !has_server && call.method !== 'GET' && ('need' in call.details || 'session' in call.details)
}
