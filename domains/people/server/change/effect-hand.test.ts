import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn, rowsOf } from '../testing/changer.ts'
import { changeEffectPort } from './effect-port.ts'
import { settleWaiting } from './waiting.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view']

let app: TestApp
let school: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let is_broken = false
let made = 0
const undone: string[] = []

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
  // A domain whose work fails, and then does not.
  changeEffectPort.fill(app.running.app, {
    domain: 'test', effect_code: 'locker', title: '储物柜', kinds: ['ABROAD'], dated: false, undoable: true,
    preview: async ({ subjects }) => ({ count: subjects.length }),
    async apply({ db, school_id, command_id, subjects }) {
      await sql`update change_command set reason = '写到一半' where school_id = ${school_id} and id = ${command_id} and ${is_broken}`.execute(db)
      if (is_broken) throw new Error('the lockers do not answer')
      return { count: subjects.length, detail: '已清空', ref: { lockers: 1 } }
    },
    async undo({ command_id }) {
      undone.push(command_id)
    },
  })
  // A domain that waits for what others confirm.
  changeEffectPort.fill(app.running.app, {
    domain: 'test', effect_code: 'terminal', title: '终端', kinds: ['LOST'], dated: false, undoable: false,
    preview: async ({ subjects }) => ({ count: subjects.length }),
    apply: async ({ subjects }) => ({ count: subjects.length, waits: true }),
    undo: async () => {},
    waiting: async () => '等待 1 台设备上线',
  })
})
afterAll(() => app.close())

const refusal = ({ status, body }: Answer) => [status, body.error_id]
const retry = (id: string, who = registrar) => app.call(changeApi.retry, { id }, { token: who.token })
const close = (id: string, reason: string, who = registrar) => app.call(changeApi.close, { id, reason }, { token: who.token })
const lockerOf = (receipt: ChangeReceipt) => receipt.effects.find(effect => effect.effect_code === 'locker')

/** A leave whose locker is in this state, as it stands when a domain's own attempts have come to an end. */
async function leftBehind(state: 'failed' | 'waiting'): Promise<{ command_id: string; line: string; user_id: string }> {
  made += 1
  const [user_id = ''] = await pupilsIn(app, 1001, school.class_1, [`H${made}`])
  const receipt = await own.give({ kind: 'ABROAD', subjects: [{ user_id }], effective_on: dayOf(app), reason: '随父母出国' })
  const { command_id } = receipt
  const line = lockerOf(receipt)?.id ?? ''
  await app.running.database.tenant<unknown, unknown>(1001, async db => {
    await sql`update change_effect set state = ${state}, ref = null, done_at = null, detail = '储物柜无应答' where school_id = 1001 and id = ${line}`.execute(db)
    await sql`update change_command set state = 'applied' where school_id = 1001 and id = ${command_id}`.execute(db)
  })
  return { command_id, line, user_id }
}

/** A leave that waits for a terminal. */
async function lost(): Promise<ChangeReceipt> {
  made += 1
  const [user_id = ''] = await pupilsIn(app, 1001, school.class_1, [`H${made}`])
  return own.give({ kind: 'LOST', subjects: [{ user_id }], effective_on: dayOf(app), reason: '失踪' })
}

test('what failed is tried again: it fails again and says so, leaves nothing half written, and with success the command is settled', async () => {
  const { command_id, line } = await leftBehind('failed')
  is_broken = true
  const again = dataOf(changeApi.retry, await retry(line))
  expect(lockerOf(again)).toMatchObject({ state: 'failed', detail: '重试未成功，请稍后再试，或填写原因后标记为已人工处理' })
  expect([again.state, again.reason]).toEqual(['applied', '随父母出国'])
  is_broken = false
  const done = dataOf(changeApi.retry, await retry(line))
  expect([done.state, lockerOf(done)?.state, lockerOf(done)?.detail]).toEqual(['settled', 'done', '已清空'])
  const attempts = await app.running.database.tenant<unknown, unknown[]>(1001, async db => (await sql`select attempts from change_effect where school_id = 1001 and id = ${line}`.execute(db)).rows)
  expect(attempts).toEqual([{ attempts: 2 }])
  expect(refusal(await retry(line))).toEqual([409, 'people.effectNotOpen'])
  await own.undo(command_id)
  expect(undone).toEqual([command_id])
})

test('what failed or waits in vain is closed by hand for a reason; the log keeps who and why, an undo leaves that line alone', async () => {
  for (const state of ['failed', 'waiting'] as const) {
    const { command_id, line, user_id } = await leftBehind(state)
    expect((await close(line, ' ')).status).toBe(400)
    const closed = dataOf(changeApi.close, await close(line, '柜子已由总务清空'))
    expect([closed.state, lockerOf(closed)?.state, lockerOf(closed)?.detail]).toEqual(['settled', 'skipped', '已人工处理：柜子已由总务清空'])
    expect(refusal(await close(line, '再关一次'))).toEqual([409, 'people.effectNotOpen'])
    const told = await app.running.database.tenant<unknown, unknown[]>(1001, async db => (await sql`select reason, user_id, after->>'event' as event from operation_log where school_id = 1001 and call = 'people.change.close' and target_id = ${command_id}`.execute(db)).rows)
    expect(told).toEqual([{ reason: '柜子已由总务清空', user_id: registrar.user_id, event: 'people.change.close:test.locker' }])
    expect((await own.undo(command_id)).status).toBe(200)
    expect(undone).not.toContain(command_id)
    expect((await rowsOf<{ valid_to: string | null }>(app, 1001, 'dept_member', user_id)).map(row => row.valid_to)).toEqual([null])
  }
})

test('a line that waits is not tried again, and two who close one line at once close it once', async () => {
  const { line } = await leftBehind('waiting')
  expect(refusal(await retry(line))).toEqual([409, 'people.effectNotOpen'])
  const answers = await Promise.all([close(line, '甲'), close(line, '乙')])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
})

test('20 §10.2 a receipt tells how long rights outlived the leave, and the median of the school; what waits or was closed by hand is not measured', async () => {
  const gone: ChangeReceipt[] = []
  for (let at = 0; at < 4; at += 1) gone.push(await lost())
  const [first, second, third, fourth] = gone
  const expiry = async (receipt = first) => dataOf(changeApi.detail, await own.detail(receipt?.command_id ?? '')).expiry
  const confirm = (receipt: ChangeReceipt | undefined, seconds: number) => app.running.database.tenant<PeopleDb, void>(1001, db =>
    settleWaiting({ db, school_id: 1001, now: new Date(Date.parse(receipt?.applied_at ?? '') + seconds * 1000) }, { command_id: receipt?.command_id ?? '', kind: 'LOST', domain: 'test', effect_code: 'terminal' }, async () => null))
  expect(await expiry()).toEqual({ seconds: null, median_seconds: null, measured: 0 })
  await confirm(first, 60)
  await confirm(second, 4000)
  await close(fourth?.effects.find(effect => effect.effect_code === 'terminal')?.id ?? '', '终端已报废')
  expect(await expiry()).toEqual({ seconds: 60, median_seconds: 2030, measured: 2 })
  await confirm(third, 90)
  expect(await expiry(second)).toEqual({ seconds: 4000, median_seconds: 90, measured: 3 })
  expect([await expiry(fourth), dataOf(changeApi.detail, await own.detail((await leftBehind('waiting')).command_id)).expiry]).toEqual([null, null])
})

test('20-A35 a line beyond the scope or of another school does not exist', async () => {
  const { line } = await leftBehind('failed')
  const stranger = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.office] })
  const foreign = await app.as({ school_id: 1002, codes })
  for (const who of [stranger, foreign]) expect([(await retry(line, who)).status, (await close(line, '关闭', who)).status]).toEqual([404, 404])
  const reader = await app.as({ school_id: 1001, codes: ['people.change.view'] })
  expect((await retry(line, reader)).status).toBe(403)
})
