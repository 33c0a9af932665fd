import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { mergeApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { hireStaff } from '../staff.create.ts'
import { enrolStudents } from '../student.create.ts'
import { dayOf, openSchool } from '../testing/changer.ts'
import { merger } from '../testing/merger.ts'
import { scanDuplicates } from './case.scan.ts'
import { scanAfterImport } from './case.work.ts'

const a = 1001
const from = '2026-09-01'
const codes = ['people.merge.run', 'people.student.view']
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, a)
  clerk = await app.as({ school_id: a, codes })
})
afterAll(() => app.close())

type Handle = Parameters<typeof enrolStudents>[0]
const tenant = <R>(fn: (db: Handle) => Promise<R>, school_id = a) => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const secrets = () => app.running.app.secrets
const scan = () => tenant(db => scanDuplicates(db, a, dayOf(app), app.clock.now()))
const cases = async (query: { state?: 'open' | 'dismissed' | 'merged'; kind?: 'student' | 'parent' | 'teacher'; keyword?: string } = {}, who = clerk) => dataOf(mergeApi.cases, await app.call(mergeApi.cases, query, { token: who.token }))
const dismiss = (id: string) => app.call(mergeApi.dismiss, { id }, { token: clerk.token })
const pupil = (user_name: string, student_no: string, more: object = {}) => ({ user_name, sex: '1', student_no, enrol_month: '202609', dept_id: school.class_1, from, ...more })

describe('people who look alike', () => {
  test('are put before somebody from a score of 50 on, the likeliest first, with what speaks for it', async () => {
    const [first = '', second = '', third = ''] = await tenant(db => enrolStudents(db, secrets(), a, [
      pupil('何思远', 'C1', { birthday: '2019-01-02' }), pupil('何思远', 'C2', { birthday: '2019-01-02' }), pupil('何思源', 'C3'), pupil('许诺', 'C4', { dept_id: school.class_2 }), pupil('许诺', 'C5'),
    ]))
    await tenant(db => hireStaff(db, secrets(), a, [{ user_name: '罗兰', teacher_no: 'C6', kind: '11', join_month: '202609', from, mobile: '16960000011', depts: [] }]))
    const father = { user_name: '罗蓝', mobile: '16960000012', relation: '52', is_first: true, is_guardian: true, from }
    await tenant(db => linkGuardians(db, secrets(), a, [{ ...father, student_user_id: third }]))
    await tenant(db => sql`update person set tel = '16960000011' where school_id = ${a} and user_name = '罗蓝'`.execute(db))
    await scan()
    const { list } = await cases()
    expect(list.map(row => [row.a.user_name, row.b.user_name, row.kind, row.score, row.signals])).toEqual([
      ['何思远', '何思远', 'student', 75, ['name_birthday', 'pinyin_class']],
      ['罗兰', '罗蓝', 'parent', 60, ['mobile']],
    ])
    expect([list[0]?.a.user_id, list[0]?.b.user_id, list[0]?.a.label]).toEqual([first, second, '一年级1班'])
    expect(list[1]?.a.mobile).toBe('169****0011')
    expect((await cases({ kind: 'parent' })).total).toBe(1)
    expect((await cases({ keyword: '思远' })).total).toBe(1)
  })

  test('that are not one are not proposed again unless a new sign speaks for it', async () => {
    const [id = '', ...others] = (await cases({ kind: 'student' })).list.map(row => row.case_id)
    expect(others).toEqual([])
    expect((await dismiss(id)).status).toBe(200)
    expect((await dismiss(id)).body.error_id).toBe('people.mergeDecided')
    await scan()
    expect((await cases({ kind: 'student' })).list.map(row => row.state)).toEqual(['dismissed'])
    const mother = { user_name: '何母', mobile: '16960000021', relation: '52', is_first: true, is_guardian: true, from }
    const people = (await cases({ kind: 'student' })).list.flatMap(row => [row.a.user_id, row.b.user_id])
    await tenant(db => linkGuardians(db, secrets(), a, people.map(student_user_id => ({ ...mother, student_user_id }))))
    await scan()
    expect((await cases({ state: 'open', kind: 'student' })).list.map(row => [row.case_id, row.score, row.signals])).toEqual([[id, 100, ['name_birthday', 'name_guardian', 'pinyin_class']]])
  })

  test('leave the list when nothing speaks for it any more, when they are merged, and for good when they are parted again', async () => {
    const own = merger(app, clerk)
    const [row] = (await cases({ state: 'open', kind: 'student' })).list
    const pair = { keep: row?.a.user_id ?? '', drop: row?.b.user_id ?? '' }
    const { merge_id } = await own.merge('student', pair)
    await scan()
    expect((await cases({ kind: 'student' })).list.map(one => one.state)).toEqual(['merged'])
    await own.reverse(merge_id)
    await scan()
    expect((await cases({ kind: 'student' })).list.map(one => one.state)).toEqual(['dismissed'])
    await tenant(db => sql`update person set tel = null where school_id = ${a} and user_name = '罗蓝'`.execute(db))
    await scan()
    expect((await cases({ state: 'open' })).total).toBe(0)
  })

  test('are seen by whoever sees both of them', async () => {
    await tenant(db => enrolStudents(db, secrets(), a, [pupil('毛毛', 'C7', { birthday: '2019-01-02' }), pupil('毛毛', 'C8', { birthday: '2019-01-02', dept_id: school.class_2 })]))
    await scan()
    const head = await app.as({ school_id: a, codes, scope: 'custom', scope_ids: [school.class_1] })
    const grade = await app.as({ school_id: a, codes, scope: 'custom', scope_ids: [school.grade] })
    expect([(await cases({ state: 'open' })).total, (await cases({ state: 'open' }, grade)).total, (await cases({ state: 'open' }, head)).total]).toEqual([1, 1, 0])
  })
})

test('duplicates are looked for every night at half past two and after an import', async () => {
  const due = () => tenant(async db => (await sql<{ ref: string }>`select ref from work where school_id = ${a} and kind = 'people_duplicates' order by ref`.execute(db)).rows.map(row => row.ref))
  expect(await due()).toHaveLength(1)
  const { app: running, database } = app.running
  const told = (kind: string) => database.tenant<unknown, void>(a, db => scanAfterImport.handle({ app: running, db, school_id: a, now: app.clock.now() }, [{ job_no: `J-${kind}`, kind }]))
  expect(running.consumers.get('job.job.finished')).toContain(scanAfterImport)
  await told('export')
  await told('import_apply')
  expect((await due()).filter(ref => ref.startsWith('after'))).toEqual(['after J-import_apply'])
})
