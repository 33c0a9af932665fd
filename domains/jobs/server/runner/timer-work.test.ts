import { domains, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import type { DomainServer } from '@kit/server/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setTimer, timerKindPort } from '@kit/server/event'

const { a: school_id } = test_schools
const hour_ms = 3_600_000
/** what was done, in order; `after` once the transaction was committed */
const done: string[] = []
let fails = 0

const probe: DomainServer = {
  name: 'probe', migrations: import.meta.dirname, routes: [],
  compose: ({ app: node }) => timerKindPort.fill(node, {
    kind: 'probe.timer',
    waits: [0, 0],
    async run(_db, { ref, school_id: school }) {
      if (ref === 'shaky' && fails++ < 2) throw new Error('planned')
      done.push(`${school} ${ref}`)
      return async () => void done.push(`${school} ${ref} after`)
    },
  }),
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ domains: [...domains, probe], settings: { CAMPUS_LOG_LEVEL: 'fatal' } })
})
afterAll(() => app.close())

function set(ref: string, in_ms: number, after?: () => void): Promise<void> {
  const { app: product, database } = app.running
  return database.tenant<unknown, void>(school_id, async db => {
    await setTimer({ app: product, db, school_id }, { kind: 'probe.timer', ref, due_at: new Date(app.clock.now().getTime() + in_ms) })
    after?.()
  })
}

it('a timer comes at its time and not before, then what it asked for is done after the commit', async () => {
  await set('later', hour_ms)
  await set('now', 0)
  await expect.poll(() => done).toEqual([`${school_id} now`, `${school_id} now after`])
  app.clock.advance(hour_ms + 1000)
  await expect.poll(() => done.slice(2)).toEqual([`${school_id} later`, `${school_id} later after`])
})

it('one that fails is tried again; one of a transaction that was rolled back never comes', async () => {
  done.length = 0
  await expect(set('ghost', 0, () => {
    throw new Error('rolled back')
  })).rejects.toThrow('rolled back')
  await set('shaky', 0)
  await expect.poll(() => done).toEqual([`${school_id} shaky`, `${school_id} shaky after`])
})
