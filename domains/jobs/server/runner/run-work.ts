import { isDatabaseDown } from '@kit/server/db'
import type { Boot } from '@kit/server/http'
import { workKindPort } from '../job-kind.ts'
import type { Due, WorkKind } from '../job-kind.ts'
import { dropWork, putBack, takeOff } from './work.queries.ts'
import type { Claim } from './work.queries.ts'

const default_waits = [60, 60]

/** One claimed piece of short work: done and off the list in one transaction, or tried again, or given up. */
export async function runWork(boot: Boot, claim: Claim): Promise<void> {
  const { app, database } = boot
  const work = workKindPort.all(app).find(({ kind }) => kind === claim.kind)
  if (!work) return dropWork(database, claim)
  const waits = work.waits ?? default_waits
  // Attempts that ended with their process have told nobody why.
  if (claim.fruitless > waits.length + 1) return giveUp(boot, work, claim, new Error('interrupted again and again'))
  try {
    const after = await database.tenant<unknown, void | (() => Promise<void>)>(claim.school_id, async db => {
      const later = await work.run(db, dueOf(boot, claim))
      if (!later) await takeOff(db, claim)
      return later
    })
    if (!after) return
    await after()
    await dropWork(database, claim)
  } catch (error) {
    await afterFailure(boot, work, claim, error)
  }
}

async function afterFailure(boot: Boot, work: WorkKind, claim: Claim, error: unknown): Promise<void> {
  const { app, database } = boot
  app.log.error({ err: error, kind: claim.kind, ref: claim.ref, attempt: claim.fruitless }, 'due work failed')
  if (isDatabaseDown(error)) return putBack(database, claim, { seconds: 1, counted: false })
  const seconds = (work.waits ?? default_waits)[claim.fruitless - 1]
  if (seconds === undefined) return giveUp(boot, work, claim, error)
  await putBack(database, claim, { seconds, counted: true })
}

async function giveUp(boot: Boot, work: WorkKind, claim: Claim, error: unknown): Promise<void> {
  await boot.database.tenant<unknown, void>(claim.school_id, async db => {
    await work.gaveUp?.(db, dueOf(boot, claim), error)
    await takeOff(db, claim)
  })
}

function dueOf({ app }: Boot, { school_id, ref }: Claim): Due {
  return { school_id, ref, now: app.clock.now(), app }
}
