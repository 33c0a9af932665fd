import { kitPorts } from '../ports.ts'
import { readStored, store } from './storage.ts'

const LOCK_MS = 10_000
const SETTLE_MS = 30
const POLL_MS = 200

let running: Promise<boolean> | undefined

/** A lock of the tabs as stored text `owner:until`; stale or unreadable locks are free. */
export function lockIsFree(lock: string | null, now: number): boolean {
  return lock === null || !(Number(lock.split(':')[1]) > now)
}

/**
 * Renews the session once for all calls and all tabs that found `old_token` expired. True = a newer token is stored.
 * Tabs share one renewal through a storage lock, since Web Locks need https (rule S2). Rejects when the network is broken.
 */
export function renewSession(old_token: string | null): Promise<boolean> {
  if (readStored('token') !== old_token) return Promise.resolve(readStored('token') !== null)
  running ??= renewLocked(old_token).finally(() => {
    running = undefined
  })
  return running
}

async function renewLocked(old_token: string | null): Promise<boolean> {
  const mine = `${Math.random().toString(36).slice(2)}:${Date.now() + LOCK_MS}`
  while (!(await takeLock(mine))) {
    await pause(POLL_MS)
    if (readStored('token') !== old_token) return readStored('token') !== null
  }
  try {
    store('token', await kitPorts().refreshToken())
    return true
  } finally {
    if (readStored('refreshLock') === mine) store('refreshLock', null)
  }
}

// Writing and looking again a moment later settles a race of two tabs: the last writer owns the lock.
async function takeLock(mine: string): Promise<boolean> {
  if (!lockIsFree(readStored('refreshLock'), Date.now())) return false
  store('refreshLock', mine)
  await pause(SETTLE_MS)
  return readStored('refreshLock') === mine
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
