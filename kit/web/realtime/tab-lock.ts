import { lockIsFree as isFree } from '../session/renew.ts'
import { readStored, store } from '../session/storage.ts'

const HOLD_MS = 6000
const SETTLE_MS = 40

/** A lock of the tabs is the stored text `owner:until`; a stale or unreadable one is free. */
export { isFree as lockIsFree }

export function lockText(owner: string, until: number): string {
  return `${owner}:${until}`
}

/** The one tab that holds the connection: a lock in the storage, since Web Locks need https. */
export function tabLock(owner: string) {
  const isMine = () => (readStored('realtimeLock') ?? '').split(':')[0] === owner
  const write = () => store('realtimeLock', lockText(owner, Date.now() + HOLD_MS))
  return {
    /** Takes the lock when it is free, or holds it for longer; false when another tab has it. */
    async hold(): Promise<boolean> {
      if (isMine()) {
        write()
        return true
      }
      if (!isFree(readStored('realtimeLock'), Date.now())) return false
      write()
      // Of two tabs that take it at once the last writer owns it.
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      return isMine()
    },
    letGo(): void {
      if (isMine()) store('realtimeLock', null)
    },
  }
}
