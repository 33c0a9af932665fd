import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, memberApi, studentApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { createDepts } from '../dept.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn, rowsOf, stateHash } from '../testing/changer.ts'
import type { Draft } from '../testing/changer.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view']
const day_ms = 86_400_000
type Member = { id: string; dept_id: string; valid_from: string; valid_to: string | null; command_id: string | null }

let app: TestApp
let school: SmallSchool
let other: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  other = await openSchool(app, 1002)
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
})
afterAll(() => app.close())

/** A pupil of one's own in class 1. */
async function pupil(from?: string): Promise<string> {
  made += 1
  const [id = ''] = await pupilsIn(app, 1001, school.class_1, [`M${made}`], from)
  return id
}

function move(user_ids: readonly string[], more: { to?: string; from?: string; on?: string; reason?: string } = {}) {
  const { to = school.class_2, from = school.class_1, on = dayOf(app), reason } = more
  return { kind: 'CLASS' as const, subjects: user_ids.map(user_id => ({ user_id, from_dept_id: from, to_dept_id: to })), effective_on: on, ...(reason === undefined ? {} : { reason }) }
}

const members = (user_id: string) => rowsOf<Member>(app, 1001, 'dept_member', user_id)
const refusal = ({ status, body }: Answer) => [status, body.error_id]

describe('a move', () => {
  test('is previewed without a trace, then applied with a receipt', async () => {
    const user_id = await pupil()
    const before = await stateHash(app, 1001)
    const preview = await own.planned(move([user_id]))
    expect(preview).toMatchObject({
      subjects: [{ user_id, before: { dept_name: '一年级1班', state: '01' }, after: { dept_name: '一年级2班', state: '01' }, warnings: [] }],
      effects: [{ domain: 'people', effect_code: 'member', title: '班级归属', count: 1, undoable: true }, { effect_code: 'device_rights', count: 0 }],
      blocks: [],
    })
    expect(await stateHash(app, 1001)).toEqual(before)
    const receipt = await own.give(move([user_id], { reason: '均衡班额' }))
    expect(receipt).toMatchObject({
      kind: 'CLASS', state: 'settled', subject_count: 1, reason: '均衡班额', created_by: expect.stringMatching(/^测试用户/),
      counts: { done: 1, waiting: 0, failed: 0, skipped: 1 }, effects: [{ effect_code: 'member', state: 'done', done_at: expect.any(String) }, { effect_code: 'device_rights', state: 'skipped' }],
      subjects: [{ before: { dept_name: '一年级1班' }, after: { dept_name: '一年级2班' } }],
    })
    expect(await members(user_id)).toMatchObject([
      { dept_id: school.class_1, valid_from: '2026-09-01', valid_to: dayOf(app) },
      { dept_id: school.class_2, valid_from: dayOf(app), valid_to: null, command_id: receipt.command_id },
    ])
    const list = dataOf(studentApi.list, await app.call(studentApi.list, { dept_id: school.class_2 }, { token: registrar.token }))
    expect(list.list.map(row => row.user_id)).toContain(user_id)
  })

  test('on the day on which the class began replaces it', async () => {
    const user_id = await pupil(dayOf(app))
    const { command_id } = await own.give(move([user_id]))
    expect(await members(user_id)).toMatchObject([{ dept_id: school.class_2, valid_from: dayOf(app), valid_to: null }])
    expect((await own.undo(command_id)).status).toBe(200)
    expect(await members(user_id)).toMatchObject([{ dept_id: school.class_1, valid_from: dayOf(app), valid_to: null, command_id: null }])
  })

  test('20-A10 of one pupil by two at once lets one win; history has one move', async () => {
    const user_id = await pupil()
    const second = changer(app, await app.as({ school_id: 1001, codes }))
    const { plan_hash } = await own.planned(move([user_id]))
    const answers = await Promise.all([own.apply(move([user_id]), plan_hash), second.apply(move([user_id]), plan_hash)])
    expect(answers.map(refusal).toSorted()).toEqual([[200, undefined], [409, 'people.memberMoved']])
    expect(await members(user_id)).toHaveLength(2)
  })

  test('is what was looked at, or is shown anew', async () => {
    const user_id = await pupil()
    const answer = await own.apply(move([user_id]), 'another plan')
    expect([answer.status, answer.body.msg]).toEqual([409, '情况已变化，请核对新的预览后再确认'])
    expect(answer.body.data).toMatchObject({ preview: { plan_hash: (await own.planned(move([user_id]))).plan_hash } })
    expect(await members(user_id)).toHaveLength(1)
  })

  test('says what forbids it, and applying answers the first of that', async () => {
    const user_id = await pupil()
    const full = { class_1: await pupil(), dept: school.class_2 }
    await own.give(move([full.class_1]))
    const cases = [
      [move([full.class_1]), 409, 'memberMoved'],
      [move([user_id], { to: school.class_1 }), 422, 'sameClass'],
      [move([user_id], { on: dayOf(app, -31) }), 422, 'backdateTooFar'],
      [move([user_id], { on: dayOf(app, 181) }), 422, 'futureTooFar'],
      [move([full.class_1], { from: school.class_2, to: school.class_1, on: dayOf(app, -1) }), 409, 'laterChange'],
      [move([user_id], { to: school.grade }), 422, 'classNeeded'],
    ] as const
    for (const [draft, status, id] of cases) {
      const { blocks, plan_hash } = await own.planned(draft)
      expect(blocks.map(block => block.code), id).toEqual([`people.${id}`])
      expect(refusal(await own.apply(draft, plan_hash)), id).toEqual([status, `people.${id}`])
    }
  })

  test('names nobody twice', async () => {
    const user_id = await pupil()
    expect((await own.preview(move([user_id, user_id]))).status).toBe(400)
  })

  test('into a full class needs the permission to overfill and a reason', async () => {
    const small = await smallClass(1)
    const user_id = await pupil()
    const draft = move([user_id, await pupil()], { to: small })
    expect((await own.planned(draft)).blocks).toEqual([{ code: 'people.classFull', title: '班级人数已达上限', user_id: null, link: null }])
    expect((await own.planned(move([user_id], { to: small }))).blocks).toEqual([])
    const bold = changer(app, await app.as({ school_id: 1001, codes: [...codes, 'people.change.overfill'] }))
    const preview = await bold.planned(draft)
    expect([preview.subjects.map(subject => subject.warnings), preview.blocks.map(block => block.code)]).toEqual([[['班级人数将超过上限'], ['班级人数将超过上限']], ['people.reasonNeeded']])
    expect((await bold.give({ ...draft, reason: '临时并班' })).state).toBe('settled')
  })

  test('out of a full class makes room for the one who comes by the same command', async () => {
    const small = await smallClass(1)
    const inside = await pupil()
    await own.give(move([inside], { to: small }))
    const outside = await pupil()
    const swap: Draft = {
      kind: 'CLASS', effective_on: dayOf(app),
      subjects: [{ user_id: outside, from_dept_id: school.class_1, to_dept_id: small }, { user_id: inside, from_dept_id: small, to_dept_id: school.class_1 }],
    }
    expect((await own.give(swap)).subjects).toHaveLength(2)
  })

  test('of the last month is anybody’s, of before needs its permission and a reason', async () => {
    const user_id = await pupil()
    const far = move([user_id], { on: dayOf(app, -40) })
    const bold = changer(app, await app.as({ school_id: 1001, codes: [...codes, 'people.change.backdate'] }))
    expect((await bold.planned(far)).blocks.map(block => block.code)).toEqual(['people.reasonNeeded'])
    expect((await bold.give({ ...far, reason: '补录' })).state).toBe('settled')
    expect((await members(user_id))[0]?.valid_to).toBe(dayOf(app, -40))
  })

  test('20-A11 of 500 pupils lists every effect in one receipt, and every pupil in the journal', async () => {
    const ids = await pupilsIn(app, 1001, school.class_1, Array.from({ length: 500 }, (_, at) => `B${at}`))
    const answer = await app.call(memberApi.move, move(ids), { token: registrar.token })
    const receipt = dataOf(memberApi.move, answer)
    expect([receipt.subject_count, receipt.subjects.length, receipt.subject_names.length]).toEqual([500, 500, 3])
    expect(receipt.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['member', 'done'], ['device_rights', 'skipped']])
    expect(await archived(receipt.command_id)).toEqual([{ n: 500, source: 'command' }])
  })
})

describe('taking a move back', () => {
  test('restores every row exactly', async () => {
    const user_id = await pupil()
    const before = await stateHash(app, 1001)
    const { command_id } = await own.give(move([user_id]))
    const receipt = dataOf(changeApi.undo, await own.undo(command_id, '选错班级'))
    expect(receipt).toMatchObject({ state: 'undone', undo_reason: '选错班级', undone_by: expect.stringMatching(/^测试用户/), effects: [{ state: 'undone' }, { state: 'skipped' }] })
    expect(await stateHash(app, 1001)).toEqual(before)
    expect(refusal(await own.undo(command_id))).toEqual([409, 'people.changeNotOpen'])
  })

  test('20-A13 waits for the one after it', async () => {
    const user_id = await pupil()
    const first = await own.give(move([user_id]))
    const second = await own.give(move([user_id], { from: school.class_2, to: school.class_1 }))
    const blocked = await own.undo(first.command_id)
    expect([...refusal(blocked), blocked.body.data]).toEqual([409, 'people.undoBlocked', { command_ids: [second.command_id] }])
    expect((await own.undo(second.command_id)).status).toBe(200)
    expect((await own.undo(first.command_id)).status).toBe(200)
    expect(await members(user_id)).toHaveLength(1)
  })

  test('needs its permission', async () => {
    const { command_id } = await own.give(move([await pupil()]))
    const runner = changer(app, await app.as({ school_id: 1001, codes: ['people.change.run'] }))
    expect((await runner.undo(command_id)).status).toBe(403)
  })
})

describe('a class teacher', () => {
  test('moves own pupils between own classes, and nobody else', async () => {
    const teacher = changer(app, await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] }))
    const two = changer(app, await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1, school.class_2] }))
    const user_id = await pupil()
    const stranger = school.pupils[2] ?? ''
    for (const draft of [move([user_id]), move([stranger], { from: school.class_2, to: school.class_1 }), move([user_id, stranger], { to: school.class_1 })]) {
      expect((await teacher.preview(draft)).status).toBe(404)
      expect((await teacher.apply(draft, '')).status).toBe(404)
    }
    expect((await two.give(move([user_id]))).state).toBe('settled')
  })

  test('20-A35 finds nothing of another school', async () => {
    const [user_id = ''] = other.pupils
    const mine = await pupil()
    for (const draft of [move([user_id], { from: other.class_1, to: other.class_2 }), move([mine], { to: other.class_2 }), move([user_id])]) {
      expect((await own.preview(draft)).status).toBe(404)
      expect((await own.apply(draft, '')).status).toBe(404)
    }
  })
})

test('the window of a move is seven days', async () => {
  const { command_id } = await own.give(move([await pupil()]))
  app.clock.advance(7 * day_ms + 1000)
  const late = changer(app, await app.as({ school_id: 1001, codes }))
  expect(refusal(await late.undo(command_id))).toEqual([409, 'people.undoLate'])
})

async function smallClass(capacity: number): Promise<string> {
  made += 1
  return app.running.database.tenant<PeopleDb, string>(1001, async db => {
    const row = { key: 'small', parent: school.grade, dept_name: `小班${made}`, dept_type: 4, tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1', class_no: 9, capacity }
    return (await createDepts(db, 1001, [row], '2026-09-01')).get('small') ?? ''
  })
}

function archived(command_id: string) {
  return app.running.database.tenant<PeopleDb, unknown>(1001, db =>
    db.selectFrom('archive_log_v').select(eb => ['source', eb.cast<number>(eb.fn.countAll(), 'integer').as('n')]).where('school_id', '=', 1001).where('command_id', '=', command_id).groupBy('source').execute(),
  )
}
