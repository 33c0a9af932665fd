import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { defineRole, grantRole, setRolePermissions, setRoleScope, startSession } from '@campus/identity/server'
import { changeApi, parentApi, personApi, studentApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn, rowsOf, stateHash } from '../testing/changer.ts'
import type { Draft } from '../testing/changer.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view', 'people.parent.view']
const grave = [...codes, 'people.change.grave']
const day_ms = 86_400_000
type Span = { state: string; valid_from: string; valid_to: string | null; close_kind: string | null; reason: string | null; to_where: string | null }

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

/** A pupil in class 1 with a father of his own. */
async function family(from?: string): Promise<{ user_id: string; parent: string }> {
  made += 1
  const number = made
  const [user_id = ''] = await pupilsIn(app, 1001, school.class_1, [`L${number}`], from)
  const father = { student_user_id: user_id, user_name: `家长${number}`, mobile: `1695000${String(number).padStart(4, '0')}`, relation: '51', is_first: true, is_guardian: true, from: from ?? '2026-09-01' }
  const { app: running, database } = app.running
  const [parent] = await database.tenant<PeopleDb, (string | null)[]>(1001, db => linkGuardians(db, running.secrets, 1001, [father]))
  return { user_id, parent: parent ?? '' }
}

/** A session of the pupil himself, as somebody who may see the roll. */
async function signIn(user_id: string): Promise<string> {
  const { app: running, database } = app.running
  const now = app.clock.now()
  const role_no = await database.tenant<unknown, string>(1001, async db => {
    const role_id = await defineRole(db, 1001, { code: `CUS_S${user_id}`, name: `学生${user_id}`, group_code: 'SYS003' })
    await setRolePermissions(db, running, 1001, role_id, ['people.student.view'])
    await setRoleScope(db, 1001, role_id, 'dept', 'all', [])
    const [given = ''] = await grantRole(db, 1001, [{ role_id, user_id, valid_from: new Date(now.getTime() - day_ms) }])
    return given
  })
  const desk = { app: running, now, own: database.tenant.bind(database) }
  return (await startSession(desk, { school_id: 1001, user_id, role_no, device_label: '测试', ip: '127.0.0.1' })).token
}

function leave(user_ids: readonly string[], more: { kind?: 'OUT' | 'QUIT' | 'DEATH' | 'EXPEL' | 'LOST' | 'ABROAD'; on?: string } = {}): Draft {
  return { kind: more.kind ?? 'OUT', subjects: user_ids.map(user_id => ({ user_id })), effective_on: more.on ?? dayOf(app), reason: '随父母迁居', to_where: '市第二小学' }
}

const refusal = ({ status, body }: Answer) => [status, body.error_id]
const spans = (user_id: string) => rowsOf<Span>(app, 1001, 'student_span', user_id)
const links = (user_id: string) => rowsOf<{ valid_to: string | null }>(app, 1001, 'guardian_link', user_id)
const listed = async (keyword: string) => dataOf(studentApi.list, await app.call(studentApi.list, { keyword }, { token: registrar.token })).total

describe('a departure', () => {
  test('20-A12 ends class, state, links and account at once; the next call with his token fails', async () => {
    const { user_id, parent } = await family()
    const token = await signIn(user_id)
    const call = () => app.call(studentApi.list, {}, { token }).then(answer => answer.status)
    expect(await call()).toBe(200)
    const receipt = await own.give(leave([user_id]))
    await expect.poll(call, { timeout: 5000 }).toBe(401)
    expect(receipt).toMatchObject({
      kind: 'OUT', state: 'settled', to_where: '市第二小学', reason: '随父母迁居',
      subjects: [{ before: { dept_name: '一年级1班', state: '01' }, after: { dept_id: null, state: null } }],
    })
    expect(receipt.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['member', 'done'], ['span', 'done'], ['links', 'done'], ['account', 'done'], ['whitelist', 'skipped'], ['contract', 'skipped'], ['device_rights', 'skipped']])
    expect(await spans(user_id)).toMatchObject([{ valid_to: dayOf(app), close_kind: 'OUT', reason: '随父母迁居', to_where: '市第二小学' }])
    expect(await links(user_id)).toMatchObject([{ valid_to: dayOf(app) }])
    expect(await listed(`L${made}`)).toBe(0)
    expect((await app.call(personApi.detail, { id: user_id }, { token: registrar.token })).status).toBe(404)
    const parents = dataOf(parentApi.list, await app.call(parentApi.list, { keyword: `家长${made}` }, { token: registrar.token }))
    expect(parents.list.map(row => row.user_id)).not.toContain(parent)
    expect(await live('live_parent', parent)).toBe(0)
    expect(await live('live_person', user_id)).toBe(0)
  })

  test('20-A12 leaves the rows of the past as they were, and those of everybody else', async () => {
    const { user_id } = await family()
    const before = await rowsOf(app, 1001, 'dept_member', school.pupils[0] ?? '')
    await own.give(leave([user_id], { on: dayOf(app, -5) }))
    expect(await rowsOf(app, 1001, 'dept_member', school.pupils[0] ?? '')).toEqual(before)
    const then = dataOf(studentApi.list, await app.call(studentApi.list, { on: dayOf(app, -6), keyword: `L${made}` }, { token: registrar.token }))
    expect(then.list).toMatchObject([{ user_id, dept_name: '一年级1班', parents: [{ user_name: `家长${made}` }] }])
  })

  test('on the day of the enrolment leaves nothing but the command', async () => {
    const { user_id } = await family(dayOf(app))
    const { command_id } = await own.give(leave([user_id]))
    expect([await spans(user_id), await links(user_id)]).toEqual([[], []])
    expect((await own.undo(command_id)).status).toBe(200)
    expect(await spans(user_id)).toMatchObject([{ valid_from: dayOf(app), valid_to: null, close_kind: null }])
  })

  test('is told in the journals of the pupil and of the guardian, who is told once', async () => {
    const first = await family()
    const second = await family()
    const { app: running, database } = app.running
    const mother = { user_name: '同母', mobile: '16950009999', relation: '52', is_first: false, is_guardian: true, from: '2026-09-01' }
    const rows = [first, second].map(({ user_id }) => ({ ...mother, student_user_id: user_id }))
    const [mother_id] = await database.tenant<PeopleDb, (string | null)[]>(1001, db => linkGuardians(db, running.secrets, 1001, rows))
    const { command_id } = await own.give(leave([first.user_id, second.user_id]))
    const log = await database.tenant<PeopleDb, { person_id: string; op_type: number }[]>(1001, db =>
      db.selectFrom('archive_log_v').select(['person_id', 'op_type']).where('school_id', '=', 1001).where('command_id', '=', command_id).execute(),
    )
    const people = [first.user_id, second.user_id, first.parent, second.parent, mother_id]
    expect(log.map(row => row.person_id).toSorted()).toEqual(people.toSorted())
  })

  test('of two registrars at once happens once', async () => {
    const { user_id } = await family()
    const second = changer(app, await app.as({ school_id: 1001, codes }))
    const draft = leave([user_id])
    const { plan_hash } = await own.planned(draft)
    const answers = await Promise.all([own.apply(draft, plan_hash), second.apply(draft, plan_hash)])
    expect(answers.map(refusal).toSorted()).toEqual([[200, undefined], [409, 'people.memberMoved']])
  })

  test('20-A14 by quitting or expulsion is refused in compulsory education', async () => {
    const { user_id } = await family()
    const bold = changer(app, await app.as({ school_id: 1001, codes: grave }))
    for (const kind of ['QUIT', 'EXPEL'] as const) {
      const draft = leave([user_id], { kind })
      const { blocks, plan_hash } = await bold.planned(draft)
      expect(blocks).toEqual([{ code: 'people.compulsoryStage', title: '义务教育阶段不得办理退学、开除学籍', user_id, link: null }])
      expect(refusal(await bold.apply(draft, plan_hash))).toEqual([422, 'people.compulsoryStage'])
    }
  })

  test('by death or expulsion needs the grave permission, and every departure a reason', async () => {
    const { user_id } = await family()
    const draft = leave([user_id], { kind: 'DEATH' })
    expect((await own.preview(draft)).status).toBe(403)
    expect((await own.apply(draft, '')).status).toBe(403)
    const bold = changer(app, await app.as({ school_id: 1001, codes: grave }))
    expect((await bold.preview({ ...draft, reason: ' ' })).status).toBe(400)
    expect((await bold.give(draft)).kind).toBe('DEATH')
  })

  test('of a pupil who is on the staff besides keeps his account', async () => {
    const { user_id } = await family()
    await app.running.database.tenant<PeopleDb, unknown>(1001, async db => {
      await db.insertInto('staff').values({ school_id: 1001, user_id, teacher_no: `LT${made}`, kind: '11', join_month: '202609' }).execute()
      await db.insertInto('staff_span').values({ school_id: 1001, user_id, state: '11', valid_from: '2026-09-01', open_kind: 'STAFF_IN' }).execute()
    })
    const receipt = await own.give(leave([user_id]))
    expect(receipt.effects.find(effect => effect.effect_code === 'account')).toMatchObject({ state: 'skipped', detail: null })
  })
})

describe('taking a departure back', () => {
  test('20-A13 restores class, span, links, role and account exactly, and the pupil can sign in', async () => {
    const { user_id } = await family()
    await signIn(user_id)
    const before = await stateHash(app, 1001)
    const { command_id } = await own.give(leave([user_id]))
    expect(await stateHash(app, 1001)).not.toEqual(before)
    const receipt = dataOf(changeApi.undo, await own.undo(command_id))
    expect(receipt.effects.map(effect => effect.state)).toEqual(['undone', 'undone', 'undone', 'undone', 'skipped', 'skipped', 'skipped'])
    expect(await stateHash(app, 1001)).toEqual(before)
    expect(await listed(`L${made}`)).toBe(1)
  })

  test('20-A13 waits for a second command, which it names', async () => {
    const { user_id } = await family()
    const { command_id } = await own.give(leave([user_id]))
    const back = await own.give({ kind: 'RETURN', subjects: [{ user_id, to_dept_id: school.class_2 }], effective_on: dayOf(app), reason: '返校' })
    const blocked = await own.undo(command_id)
    expect([...refusal(blocked), blocked.body.data]).toEqual([409, 'people.undoBlocked', { command_ids: [back.command_id] }])
  })

  test('20-A13 is refused when the rows were written to since', async () => {
    const { user_id } = await family()
    const { command_id } = await own.give(leave([user_id]))
    await app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('student_span').set({ reason: '更正' }).where('school_id', '=', 1001).where('user_id', '=', user_id).execute())
    expect(refusal(await own.undo(command_id))).toEqual([409, 'people.undoBlocked'])
  })

  test('20-A13 is refused into a class that was closed since, and after thirty days', async () => {
    const { user_id } = await family()
    const { command_id } = await own.give(leave([user_id]))
    const close = (closed_on: string | null) => app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('dept').set({ closed_on }).where('school_id', '=', 1001).where('id', '=', school.class_1).execute())
    await close(dayOf(app, 1))
    expect(refusal(await own.undo(command_id))).toEqual([409, 'people.undoBlocked'])
    await close(null)
    app.clock.advance(30 * day_ms + 1000)
    const late = changer(app, await app.as({ school_id: 1001, codes }))
    expect(refusal(await late.undo(command_id))).toEqual([409, 'people.undoLate'])
  })
})

async function live(view: 'live_parent' | 'live_person', user_id: string): Promise<number> {
  const rows = await app.running.database.tenant<PeopleDb, unknown[]>(1001, db => db.selectFrom(view).select('user_id').where('school_id', '=', 1001).where('user_id', '=', user_id).execute())
  return rows.length
}
