import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, studentApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn, rowsOf, stateHash } from '../testing/changer.ts'
import type { Draft } from '../testing/changer.ts'
import { changeEffectPort } from './effect-port.ts'
import { planDayTurn } from './day-turn.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view']
const day_ms = 86_400_000

let app: TestApp
let school: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let made = 0
const told: string[] = []

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  await signIn()
  // An effect as another domain registers it: on the day, and for good.
  changeEffectPort.fill(app.running.app, {
    domain: 'test', effect_code: 'letter', title: '告别信', kinds: ['ABROAD'], dated: false, undoable: false,
    preview: async ({ subjects }) => ({ count: subjects.length, detail: '将寄出' }),
    async apply({ subjects, effective_on }) {
      for (const { user_id } of subjects) told.push(`${user_id} ${effective_on}`)
      return { count: subjects.length, detail: '已寄出', ref: { letters: subjects.length } }
    },
    async undo() {
      throw new Error('a letter that was sent does not come back')
    },
  })
})
afterAll(() => app.close())

async function signIn(): Promise<void> {
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
}

async function pupil(): Promise<string> {
  made += 1
  const [id = ''] = await pupilsIn(app, 1001, school.class_1, [`F${made}`])
  return id
}

function move(user_id: string, on: string): Draft {
  return { kind: 'CLASS', subjects: [{ user_id, from_dept_id: school.class_1, to_dept_id: school.class_2 }], effective_on: on }
}
function leave(user_id: string, on: string, kind: 'OUT' | 'ABROAD' = 'OUT'): Draft {
  return { kind, subjects: [{ user_id }], effective_on: on, reason: '迁居' }
}

async function classOn(user_id: string, on?: string): Promise<string | null | undefined> {
  const answer = await app.call(studentApi.list, { on, page_size: 300 }, { token: registrar.token })
  return dataOf(studentApi.list, answer).list.find(row => row.user_id === user_id)?.dept_name
}

async function stateOf(id: string): Promise<string> {
  return dataOf(changeApi.detail, await own.detail(id)).state
}

const refusal = ({ status, body }: Answer) => [status, body.error_id]

describe('a command for a day to come', () => {
  test('is scheduled; lists of the day show it already, lists of today do not', async () => {
    const user_id = await pupil()
    const day = dayOf(app, 10)
    const receipt = await own.give(move(user_id, day))
    expect(receipt).toMatchObject({ state: 'scheduled', applied_at: null, undo_until: null, effects: [{ effect_code: 'member', state: 'planned', done_at: null }, { effect_code: 'device_rights', state: 'planned' }], counts: { done: 0, waiting: 2 } })
    expect([await classOn(user_id), await classOn(user_id, dayOf(app, 9)), await classOn(user_id, day)]).toEqual(['一年级1班', '一年级1班', '一年级2班'])
    expect(refusal(await own.undo(receipt.command_id))).toEqual([409, 'people.changeNotOpen'])
  })

  test('keeps a second one away until it is cancelled', async () => {
    const user_id = await pupil()
    const first = await own.give(move(user_id, dayOf(app, 10)))
    const second = leave(user_id, dayOf(app))
    const { blocks, plan_hash } = await own.planned(second)
    expect(blocks).toEqual([{ code: 'people.futureChange', title: '该人员已有未来生效的变更，请先取消或改期', user_id, link: `/ChangeRecord?command_id=${first.command_id}` }])
    expect(refusal(await own.apply(second, plan_hash))).toEqual([409, 'people.futureChange'])
    expect((await own.cancel(first.command_id)).status).toBe(200)
    expect((await own.give(second)).state).toBe('settled')
  })

  test('that is cancelled leaves no trace, and is cancelled once', async () => {
    const user_id = await pupil()
    const before = await stateHash(app, 1001)
    for (const draft of [move(user_id, dayOf(app, 3)), leave(user_id, dayOf(app, 3))]) {
      const { command_id } = await own.give(draft)
      expect(await stateHash(app, 1001)).not.toEqual(before)
      const receipt = dataOf(changeApi.cancel, await own.cancel(command_id))
      expect([receipt.state, new Set(receipt.effects.map(effect => effect.state))]).toEqual(['cancelled', new Set(['skipped'])])
      expect(await stateHash(app, 1001)).toEqual(before)
      expect(refusal(await own.cancel(command_id))).toEqual([409, 'people.changeNotOpen'])
    }
  })

  test('that has happened is not cancelled', async () => {
    const { command_id } = await own.give(move(await pupil(), dayOf(app)))
    expect(refusal(await own.cancel(command_id))).toEqual([409, 'people.changeNotOpen'])
  })
})

describe('the turn of a day', () => {
  test('carries out what is due, missed days too, once; what comes later waits', async () => {
    const [mover, leaver, traveller, later] = [await pupil(), await pupil(), await pupil(), await pupil()]
    const moved = await own.give(move(mover, dayOf(app, 1)))
    const left = await own.give(leave(leaver, dayOf(app, 2)))
    const gone = await own.give(leave(traveller, dayOf(app, 3), 'ABROAD'))
    const waiting = await own.give(move(later, dayOf(app, 30)))
    expect(left.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['member', 'planned'], ['span', 'planned'], ['links', 'planned'], ['account', 'planned'], ['whitelist', 'planned'], ['contract', 'planned'], ['device_rights', 'planned']])
    const on = dayOf(app, 3)
    app.clock.advance(3 * day_ms)
    await expect.poll(async () => (await works()).map(work => work.ref), { timeout: 20_000, interval: 100 }).toEqual([dayOf(app, 1)])
    await signIn()
    expect([await stateOf(moved.command_id), await stateOf(left.command_id), await stateOf(gone.command_id), await stateOf(waiting.command_id)]).toEqual(['settled', 'settled', 'settled', 'scheduled'])
    const receipt = dataOf(changeApi.detail, await own.detail(gone.command_id))
    expect(receipt).toMatchObject({ applied_at: expect.any(String), undo_until: expect.any(String) })
    expect(receipt.effects.map(effect => [effect.effect_code, effect.state, effect.detail])).toEqual([
      ['member', 'done', null], ['span', 'done', null], ['links', 'skipped', null], ['account', 'done', '已不能登录本校：停用账号1个'], ['whitelist', 'skipped', null], ['contract', 'skipped', null], ['device_rights', 'skipped', null], ['letter', 'done', '已寄出'],
    ])
    expect(told).toEqual([`${traveller} ${on}`])
    expect([await classOn(mover), await classOn(leaver)]).toEqual(['一年级2班', undefined])
  })

  test('of a command that cannot be carried out goes on with the others and tries again', async () => {
    const [broken, fine] = [await pupil(), await pupil()]
    const first = await own.give(leave(broken, dayOf(app, 1)))
    const second = await own.give(leave(fine, dayOf(app, 1)))
    await setPayload(first.command_id, '{"to_where": 1}')
    app.clock.advance(day_ms)
    await signIn()
    await expect.poll(() => stateOf(second.command_id), { timeout: 20_000, interval: 100 }).toBe('settled')
    await setPayload(first.command_id, '{}')
    app.clock.advance(day_ms)
    await signIn()
    await expect.poll(() => stateOf(first.command_id), { timeout: 20_000, interval: 100 }).toBe('settled')
  })

  test('what an effect cannot take back stays done and says so', async () => {
    const user_id = await pupil()
    const { command_id } = await own.give(leave(user_id, dayOf(app), 'ABROAD'))
    const receipt = dataOf(changeApi.undo, await own.undo(command_id))
    expect(receipt.effects.at(-1)).toMatchObject({ effect_code: 'letter', state: 'done', detail: '不可撤销', undoable: false })
    expect((await rowsOf<{ valid_to: string | null }>(app, 1001, 'student_span', user_id))[0]?.valid_to).toBeNull()
  })

  test('stands on the due list at five past midnight, before it as after it', async () => {
    const due = async (now: string) => {
      const school_id = 1002
      return app.running.database.tenant<unknown, unknown>(school_id, async db => {
        await planDayTurn(db, school_id, new Date(now))
        return app.running.database.engine
      })
    }
    await due('2030-05-06T00:04:00+08:00')
    await due('2030-05-06T00:05:00+08:00')
    expect((await works(1002)).slice(-2)).toEqual([
      { ref: '2030-05-06', due_at: new Date('2030-05-06T00:05:00+08:00') },
      { ref: '2030-05-07', due_at: new Date('2030-05-07T00:05:00+08:00') },
    ])
  })
})

type Work = { work: { school_id: number; kind: string; ref: string; due_at: Date } }
function works(school_id = 1001): Promise<{ ref: string; due_at: Date }[]> {
  return app.running.database.tenant<Work, { ref: string; due_at: Date }[]>(0, db =>
    db.selectFrom('work').select(['ref', 'due_at']).where('school_id', '=', school_id).where('kind', '=', 'people_day_turn').orderBy('due_at').execute(),
  )
}

async function setPayload(id: string, payload: string): Promise<void> {
  await app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('change_command').set({ payload }).where('school_id', '=', 1001).where('id', '=', id).execute())
}
