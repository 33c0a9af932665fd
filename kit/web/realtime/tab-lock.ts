import { lockIsFree as isFree } from '../session/renew.ts'
import { readStored, store } from '../session/storage.ts'
import type { StoredName } from '../session/storage.ts'

const HOLD_MS = 6000
const SETTLE_MS = 40

/** A lock of the tabs is the stored text `owner:until`; a stale or unreadable one is free. */
export { isFree as lockIsFree }

export function lockText(owner: string, until: number): string {
  return `${owner}:${until}`
}

/** The one tab that has something for itself, the connection unless another lock is named: a lock in the storage, since Web Locks need https. */
export function tabLock(owner: string, { name = 'realtimeLock', hold_ms = HOLD_MS }: { name?: StoredName; hold_ms?: number } = {}) {
  const isMine = () => (readStored(name) ?? '').split(':')[0] === owner
  const write = () => store(name, lockText(owner, Date.now() + hold_ms))
  return {
    /** Takes the lock when it is free, or holds it for longer; false when another tab has it. */
    async hold(): Promise<boolean> {
      if (isMine()) {
        write()
        return true
      }
      if (!isFree(readStored(name), Date.now())) return false
      write()
      // Of two tabs that take it at once the last writer owns it.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      return isMine()
    },
    letGo(): void {
      if (isMine()) store(name, null)
    },
  }
}
