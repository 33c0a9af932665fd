import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { defineRole, grantRole } from '@campus/identity/server'
import { changeApi, studentFileApi } from '@campus/people/contract'
import type { ChangeRow } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, rowsOf, stateHash } from '../testing/changer.ts'

type Draft = Request<typeof studentFileApi.create>
type Linked = { parent_user_id: string; command_id: string | null }

const codes = ['people.student.edit', 'people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view']
const day_ms = 86_400_000

let app: TestApp
let school: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
})
afterAll(() => app.close())

function draft(more: Partial<Draft> = {}): Draft {
  made += 1
  const parents = [{ user_name: '林父', mobile: `1690002${String(made).padStart(4, '0')}`, relation: '51' }]
  return { dept_id: school.class_2, user_name: '林小雨', sex: '2', student_no: `E${made}`, parents, ...more }
}

async function enrolled(more: Partial<Draft> = {}): Promise<{ user_id: string; command: ChangeRow }> {
  const { user_id } = dataOf(studentFileApi.create, await app.call(studentFileApi.create, draft(more), { token: registrar.token }))
  const { list } = dataOf(changeApi.page, await app.call(changeApi.page, { user_id }, { token: registrar.token }))
  const [command] = list
  if (!command || list.length > 1) throw new Error('an enrolment is one command')
  return { user_id, command }
}

const refusal = ({ status, body }: Answer) => [status, body.error_id]
const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]) => app.running.database.tenant<PeopleDb, R>(1001, fn)

describe('an enrolment by hand', () => {
  test('is a command with its receipt, whose number stands with its rows', async () => {
    const { user_id, command } = await enrolled()
    expect(command).toMatchObject({ kind: 'IN', state: 'settled', subject_names: ['林小雨'], effective_on: dayOf(app), counts: { done: 4, waiting: 0, failed: 0, skipped: 0 } })
    expect(Date.parse(command.undo_until ?? '') - Date.parse(command.created_at)).toBe(day_ms)
    const receipt = dataOf(changeApi.detail, await own.detail(command.command_id))
    expect(receipt.subjects).toMatchObject([{ before: { dept_id: null, state: null }, after: { dept_name: '一年级2班', state: '01' } }])
    for (const table of ['dept_member', 'student_span', 'guardian_link']) {
      expect(await rowsOf(app, 1001, table, user_id), table).toMatchObject([{ command_id: command.command_id }])
    }
    const journal = await inSchool(db => db.selectFrom('archive_log_v').select(['person_id', 'op_type']).where('school_id', '=', 1001).where('command_id', '=', command.command_id).execute())
    expect(journal.map(row => row.op_type)).toEqual([3, 3])
  })

  test('of a new pupil of the year is of kind ENROL', async () => {
    const { user_id, command } = await enrolled({ change_kind: 'ENROL' })
    expect(command.kind).toBe('ENROL')
    expect(await rowsOf(app, 1001, 'student_span', user_id)).toMatchObject([{ open_kind: 'ENROL' }])
  })
})

describe('a mistaken entry', () => {
  test('vanishes with the parents who were made with it; the command stays', async () => {
    const before = await stateHash(app, 1001)
    const { user_id, command } = await enrolled()
    const [link] = await rowsOf<Linked>(app, 1001, 'guardian_link', user_id)
    const receipt = dataOf(changeApi.undo, await own.undo(command.command_id, '录错人'))
    expect(receipt).toMatchObject({ state: 'undone', undo_reason: '录错人', subject_names: ['已注销人员'] })
    expect(receipt.effects.map(effect => effect.state)).toEqual(['undone', 'undone', 'undone', 'undone'])
    expect(await stateHash(app, 1001)).toEqual(before)
    const journal = await inSchool(db => db.selectFrom('archive_log_v').select(['person_id', 'person_name', 'op_type', 'source']).where('school_id', '=', 1001).where('command_id', '=', command.command_id).where('source', '=', 'undo').execute())
    expect(journal.toSorted((a, b) => a.person_name.localeCompare(b.person_name))).toEqual([
      { person_id: link?.parent_user_id, person_name: '林父', op_type: 14, source: 'undo' }, { person_id: user_id, person_name: '林小雨', op_type: 14, source: 'undo' },
    ].toSorted((a, b) => a.person_name.localeCompare(b.person_name)))
    expect(refusal(await own.undo(command.command_id))).toEqual([409, 'people.changeNotOpen'])
    const again = dataOf(changeApi.page, await app.call(changeApi.page, { user_id }, { token: registrar.token }))
    expect(again.list).toMatchObject([{ state: 'undone', subject_names: ['已注销人员'] }])
  })

  test('frees its numbers', async () => {
    const first = draft({ student_no: 'SAME' })
    const { user_id } = dataOf(studentFileApi.create, await app.call(studentFileApi.create, first, { token: registrar.token }))
    const { list } = dataOf(changeApi.page, await app.call(changeApi.page, { user_id }, { token: registrar.token }))
    expect((await own.undo(list[0]?.command_id ?? '')).status).toBe(200)
    expect((await app.call(studentFileApi.create, first, { token: registrar.token })).status).toBe(200)
  })

  test('leaves parents who were known before, and those who have another child since', async () => {
    const known = { user_name: '王志强', mobile: '16900000001', relation: '51' }
    const mother = { user_name: '新母亲', mobile: '16900029999', relation: '52' }
    const first = await enrolled({ parents: [known, mother] })
    const links = await rowsOf<Linked>(app, 1001, 'guardian_link', first.user_id)
    await enrolled({ parents: [mother] })
    expect((await own.undo(first.command.command_id)).status).toBe(200)
    for (const { parent_user_id } of links) {
      expect(await inSchool(db => db.selectFrom('person').select('status').where('school_id', '=', 1001).where('user_id', '=', parent_user_id).execute())).toEqual([{ status: 'live' }])
    }
  })

  test('that was moved since is taken back after the move', async () => {
    const { user_id, command } = await enrolled()
    const move = await own.give({ kind: 'CLASS', subjects: [{ user_id, from_dept_id: school.class_2, to_dept_id: school.class_1 }], effective_on: dayOf(app) })
    const blocked = await own.undo(command.command_id)
    expect([...refusal(blocked), blocked.body.data]).toEqual([409, 'people.undoBlocked', { command_ids: [move.command_id] }])
    expect((await own.undo(move.command_id)).status).toBe(200)
    expect((await own.undo(command.command_id)).status).toBe(200)
  })

  test('on whom something depends stays, with the reasons', async () => {
    const { user_id, command } = await enrolled()
    await inSchool(async db => {
      const role_id = await defineRole(db, 1001, { code: 'CUS_E', name: '班干部', group_code: 'SYS003' })
      await grantRole(db, 1001, [{ role_id, user_id, valid_from: app.clock.now() }])
      await db.insertInto('staff').values({ school_id: 1001, user_id, teacher_no: 'TE1', kind: '11', join_month: '202609' }).execute()
      await db.updateTable('student_span').set({ command_id: null }).where('school_id', '=', 1001).where('user_id', '=', user_id).execute()
    })
    const answer = await own.undo(command.command_id)
    expect([...refusal(answer), answer.body.data]).toEqual([409, 'people.undoIrreversible', { reasons: ['该学生的账号已启用或已授予角色', '该学生在本校还有其他身份', '该学生的班级或学籍状态已有变动'] }])
  })

  test('is one for 24 hours', async () => {
    const { command } = await enrolled()
    app.clock.advance(day_ms + 1000)
    const late = changer(app, await app.as({ school_id: 1001, codes }))
    expect(refusal(await late.undo(command.command_id))).toEqual([409, 'people.undoLate'])
  })
})
