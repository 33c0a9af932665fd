import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { hash, verify } from '@node-rs/argon2'

// The pool belongs to the process, not to an app: it guards the machine's cores and memory (19 MiB a hash).
const places = 4
const longest_queue = 200
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const waiting: (() => void)[] = []
let running = 0

/** Hash of no password at all: a guess at a name that does not exist costs what any other guess costs. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$GrqX63+tk8FaDunutLHulw$NxbOejwxU2yifkuvQch0DgA7HxlvF20N9mXIsQHdoNU'

/**
 * argon2id hash of a password (NFC), 19 MiB, two passes, four at a time.
 * @throws Refusal 503 hashBusy when more than 200 wait already
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFC'), cost))
}

/** Whether the password fits the hash; without a hash it takes the same time and answers no. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const fits = await inTurn(() => verify(stored ?? nobody, password.normalize('NFC')))
  return fits && typeof stored === 'string'
}

/** @throws Refusal 503 hashBusy when the queue is full; asked before anything of an attempt is counted */
export function refuseWhenBusy(): void {
  if (waiting.length >= longest_queue) throw fail(identityErrors.hashBusy, { retry_after: 3 })
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= places) {
    refuseWhenBusy()
    await new Promise<void>(resolve => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
