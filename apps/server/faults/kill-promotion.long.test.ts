import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, sendOnce } from './client.ts'
import { look } from './kept-rows.ts'
import { in_class, preparePromotion, school_id } from './prepared-promotion.ts'
import type { PreparedPromotion } from './prepared-promotion.ts'
import { openServer } from './opened-server.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 300_000
/** How long after the request was sent: before it is read, in the middle of what it writes, while its effects are carried out. */
const kills_ms = [60, 250, 900]
/** 五年级 goes on, 六年级 continues, 九年级 leaves: four classes each. */
const whole = { before: { live: in_class * 12, renamed: 0, made: 0, graduated: 0 }, after: { live: in_class * 8, renamed: 5, made: 5, graduated: in_class * 4 } }

let base: PreparedPromotion
let folder: string
let server: ServerProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-kill-promotion-'))
  base = await preparePromotion(1)
}, patience_ms)
afterAll(async () => {
  await endServer(server)
  await base?.remove()
  await rm(folder, { recursive: true, force: true })
})

type Core = { live: number; renamed: number; made: number; graduated: number }

async function coreOf(database: Database): Promise<Core> {
  const { rows } = await database.tenant<unknown, { rows: Core[] }>(school_id, db => sql<Core>`
    select (select count(*)::int from live_student) as live,
      (select count(*)::int from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id where v.command_id is not null and d.opened_on < v.valid_from) as renamed,
      (select count(*)::int from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id where v.command_id is not null and d.opened_on = v.valid_from) as made,
      (select count(*)::int from student_span where close_kind = 'GRAD') as graduated`.execute(db))
  const [core] = rows
  if (!core) throw new Error('no counts')
  return core
}

test('20-A6 a kill -9 leaves a promotion whole or not begun, and what follows is finished after the restart', async () => {
  const seen: string[] = []
  for (const [at, delay_ms] of kills_ms.entries()) {
    const settings = { ...base.settings, CAMPUS_DATA_DIR: join(folder, `run-${at}`) }
    await cp(base.settings.CAMPUS_DATA_DIR ?? '', settings.CAMPUS_DATA_DIR, { recursive: true })
    server = await startServer(settings)
    const asked = { plan_id: base.plan_id, plan_hash: base.plan_hash, recheck_token: base.proofs[0] ?? '' }
    sendOnce(server.url, upgradeRunApi.run, asked, { token: base.token }).catch(() => undefined)
    await pause(delay_ms)
    server.signal('SIGKILL')
    await server.ended
    const core = await look(settings, coreOf)
    const is_after = core.live === whole.after.live
    expect(core).toEqual(is_after ? whole.after : whole.before)
    seen.push(is_after ? 'after' : 'before')
    const next = await openServer(settings)
    const state = async () => dataOf(upgradeApi.current, await sendOnce(next.url, upgradeApi.current, {}, { token: base.token })).plan?.state
    await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe(is_after ? 'done' : 'signed').finally(() => next.close())
  }
  process.stdout.write(`kill -9 after ${kills_ms.join(', ')} ms found the promotion ${seen.join(', ')}\n`)
}, patience_ms)
