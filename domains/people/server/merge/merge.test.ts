import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { mergeApi, mergeRunApi, parentApi, personApi, pickerApi, studentApi, studentFileApi, tagApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { hireStaff } from '../staff.create.ts'
import { enrolStudents } from '../student.create.ts'
import { dayOf, openSchool } from '../testing/changer.ts'
import { merger, stateBeside } from '../testing/merger.ts'

const codes = ['people.merge.run', 'people.student.view', 'people.student.edit', 'people.parent.view', 'people.tag.edit', 'people.picker.use', 'people.change.view']
const a = 1001
const from = '2026-09-01'
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let own: ReturnType<typeof merger>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, a)
  await openSchool(app, 1002)
  clerk = await app.as({ school_id: a, codes })
  own = merger(app, clerk)
})
afterAll(() => app.close())

const tenant = <R>(fn: (db: Parameters<typeof enrolStudents>[0]) => Promise<R>) => app.running.database.tenant<PeopleDb, R>(a, fn)
const keys = () => app.running.app.secrets
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const mobile = () => `1697${String((made += 1)).padStart(7, '0')}`

async function pupil(more: Partial<Parameters<typeof enrolStudents>[3][number]> = {}): Promise<string> {
  made += 1
  const row = { user_name: '赵小满', sex: '1', student_no: `M${made}`, enrol_month: '202609', dept_id: school.class_1, from, ...more }
  const [id = ''] = await tenant(db => enrolStudents(db, keys(), a, [row]))
  return id
}
async function parent(student_user_id: string, user_name: string, more: { mobile?: string; is_first?: boolean } = {}): Promise<string> {
  const row = { student_user_id, user_name, mobile: more.mobile ?? mobile(), relation: '51', is_first: more.is_first ?? true, is_guardian: true, from }
  const [id] = await tenant(db => linkGuardians(db, keys(), a, [row]))
  return id ?? ''
}
async function teacher(more: Partial<Parameters<typeof hireStaff>[3][number]> = {}): Promise<string> {
  made += 1
  const row = { user_name: '钱老师', sex: '2', teacher_no: `MT${made}`, kind: '11', join_month: '202609', from, mobile: mobile(), depts: [{ dept_id: school.office }], ...more }
  const [id = ''] = await tenant(db => hireStaff(db, keys(), a, [row]))
  return id
}
const rows = (query: ReturnType<typeof sql<Record<string, unknown>>>) => tenant(async db => (await query.execute(db)).rows)
const roll = async (keyword: string) => dataOf(studentApi.list, await app.call(studentApi.list, { keyword }, { token: clerk.token })).list
const label = async (user_id: string) => (await rows(sql`select display_name, status from person_label where user_id = ${user_id}`))[0]
const back = async (merge_id: string) => dataOf(mergeApi.reverse, await own.reverse(merge_id))

describe('two pupils', () => {
  test('20-A22 are one after a merge, absent from every live list, and two again after an un-merge: every table as before', async () => {
    const keep = await pupil({ student_no: 'KEEP1', birthday: '2019-03-04' })
    const drop = await pupil({ student_no: 'DROP1', user_name: '赵小曼', dept_id: school.class_2, id_no: '370200201903040014', id_type: '1', school_roll_no: 'G370200201903040014', mobile: mobile() })
    const shared = mobile()
    const father = await parent(keep, '赵大满', { mobile: shared })
    await parent(drop, '赵大曼')
    await parent(drop, '赵大满', { mobile: shared, is_first: false })
    const tag_id = dataOf(tagApi.add, await app.call(tagApi.add, { tag_name: '田径', color: 'blue', is_sensitive: false, person_kinds: [1] }, { token: clerk.token })).id
    await app.call(tagApi.bind, { id: tag_id, user_ids: [drop] }, { token: clerk.token })
    const before = await stateBeside(app, a)
    const plan = await own.planned({ keep, drop })
    expect(plan.conflicts.map(({ code }) => code)).toEqual(['people.class'])
    expect(plan.moves.map(move => [move.title, move.count])).toEqual(expect.arrayContaining([['标签', 1]]))
    expect(refusal(await own.run('student', { keep, drop }, plan.plan_hash))).toEqual([409, 'people.mergeConflict'])
    const chosen = { 'people.class': 'drop', user_name: 'drop', student_no: 'drop' } as const
    const done = await own.merge('student', { keep, drop }, chosen)
    const [row, ...others] = await roll('赵小曼')
    expect([row?.user_id, row?.student_no, row?.dept_id, row?.id_no, row?.tags.map(tag => tag.tag_name), others]).toEqual([keep, 'DROP1', school.class_2, '370***********0014', ['田径'], []])
    expect(row?.parents.map(one => one.user_id)).toContain(father)
    expect(await roll('KEEP1')).toEqual([])
    expect(await label(drop)).toEqual({ display_name: '赵小曼', status: 'merged' })
    for (const view of ['live_student', 'live_person', 'kept_student']) expect(await rows(sql`select user_id from ${sql.table(view)} where user_id = ${drop}`), view).toEqual([])
    const picked = dataOf(pickerApi.student, await app.call(pickerApi.student, { keyword: '赵小曼' }, { token: clerk.token })).list
    expect(picked.map(one => one.user_id)).toEqual([keep])
    expect((await app.call(personApi.detail, { id: drop }, { token: clerk.token })).status).toBe(404)
    expect(await back(done.merge_id)).toMatchObject({ left: [] })
    expect(await stateBeside(app, a)).toEqual(before)
    expect(refusal(await own.reverse(done.merge_id))).toEqual([409, 'people.mergeReversed'])
  })

  test('20-A22 what was born after the merge stays with the kept one and is listed', async () => {
    const [keep, drop] = [await pupil({ user_name: '孙一一' }), await pupil({ user_name: '孙依依' })]
    const done = await own.merge('student', { keep, drop })
    const before = await stateBeside(app, a)
    const id = dataOf(tagApi.add, await app.call(tagApi.add, { tag_name: '合唱', color: 'green', is_sensitive: false, person_kinds: [1] }, { token: clerk.token })).id
    await app.call(tagApi.bind, { id, user_ids: [keep] }, { token: clerk.token })
    const aunt = await parent(keep, '孙姑姑', { is_first: false })
    const { left } = await back(done.merge_id)
    expect(left).toEqual([{ domain_title: '人员档案', title: '家长', count: 1, why: 'born' }, { domain_title: '人员档案', title: '标签', count: 1, why: 'born' }])
    const logged = dataOf(mergeApi.log, await app.call(mergeApi.log, {}, { token: clerk.token })).list.find(row => row.merge_id === done.merge_id)
    expect(logged).toMatchObject({ state: 'reversed', left: [{ title: '家长' }, { title: '标签' }] })
    const proof = (who = clerk) => app.call(mergeApi.proof, { id: done.merge_id }, { token: who.token })
    const printed = dataOf(mergeApi.proof, await proof())
    expect(printed).toMatchObject({ ...logged, school_name: '测试一校', parts: expect.arrayContaining([{ domain_title: '人员档案', count: expect.any(Number) }]) })
    expect(printed.parts.reduce((sum, part) => sum + part.count, 0)).toBe(logged?.moved)
    expect((await proof(await app.as({ school_id: 1002, codes: ['people.merge.run'] }))).status).toBe(404)
    expect(await rows(sql`select student_user_id from guardian_link where parent_user_id = ${aunt}`)).toEqual([{ student_user_id: keep }])
    expect((await stateBeside(app, a)).tag_link).not.toBe(before.tag_link)
    expect((await roll('孙依依')).map(row => row.user_id)).toEqual([drop])
  })

  test('a value that was edited after the merge stays, and is listed; the merged one has his own again', async () => {
    const [keep, drop] = [await pupil({ user_name: '周一', remark: '旧' }), await pupil({ user_name: '周壹', remark: '新' })]
    const done = await own.merge('student', { keep, drop }, { user_name: 'drop', remark: 'drop' })
    const [row] = await roll('周壹')
    expect((await app.call(studentFileApi.update, { user_id: keep, row_version: row?.row_version ?? 0, remark: '改过' }, { token: clerk.token })).status).toBe(200)
    expect((await back(done.merge_id)).left).toEqual([{ domain_title: '人员档案', title: '备注', count: 1, why: 'changed' }])
    expect(await rows(sql`select p.user_name, s.remark from person p join student s on s.school_id = p.school_id and s.user_id = p.user_id where p.school_id = ${a} and p.user_id in (${keep}, ${drop}) order by p.user_id`)).toEqual([
      { user_name: '周一', remark: '改过' }, { user_name: '周壹', remark: '新' },
    ])
  })
})

describe('grown-ups', () => {
  test('20-A22 two of the staff: duties, departments and numbers follow, and go back', async () => {
    const keep = await teacher({ depts: [{ dept_id: school.office }, { dept_id: school.grade, is_primary: false }] })
    const shared = mobile()
    const drop = await teacher({ user_name: '钱洁', mobile: shared, teacher_no: 'DROPT', depts: [{ dept_id: school.grade }], duties: [{ dept_id: school.class_2, duty: 'head' }] })
    const child = await pupil({ user_name: '钱多多' })
    await parent(child, '钱洁', { mobile: shared })
    const before = await stateBeside(app, a)
    const done = await own.merge('teacher', { keep, drop }, { 'people.primary_dept': 'drop', teacher_no: 'drop' })
    expect(await rows(sql`select teacher_no, primary_dept_id::text, duties from live_staff where user_id in (${keep}, ${drop})`)).toEqual([{ teacher_no: 'DROPT', primary_dept_id: school.grade, duties: [`head:${school.class_2}`] }])
    expect(await rows(sql`select user_no from school_user_v where user_id = ${keep}`)).toEqual([{ user_no: 'DROPT' }])
    expect((await back(done.merge_id)).left).toEqual([])
    expect(await stateBeside(app, a)).toEqual(before)
  })

  test('20-A22 two parents of one child are one link with the rights of both; a parent goes into one of the staff', async () => {
    const [one, two] = [await pupil({ user_name: '吴大' }), await pupil({ user_name: '吴二' })]
    const keep = await parent(one, '吴父', { is_first: false })
    const shared = mobile()
    const drop = await parent(one, '吴爸', { mobile: shared })
    await parent(two, '吴爸', { mobile: shared })
    const before = await stateBeside(app, a)
    const done = await own.merge('parent', { keep, drop }, { user_name: 'drop', mobile: 'drop' })
    const [row] = dataOf(parentApi.list, await app.call(parentApi.list, { keyword: '吴爸' }, { token: clerk.token })).list
    expect([row?.user_id, row?.children.map(child => child.user_name).toSorted()]).toEqual([keep, ['吴二', '吴大']])
    expect((await roll('吴大'))[0]?.parents.map(({ user_id, is_first }) => [user_id, is_first])).toEqual([[keep, true]])
    expect((await back(done.merge_id)).left).toEqual([])
    expect(await stateBeside(app, a)).toEqual(before)
    const staff = await teacher({ user_name: '吴父' })
    const into = await own.merge('parent', { keep: staff, drop })
    expect(await rows(sql`select child_user_ids::text[] from live_parent where user_id = ${staff}`)).toEqual([{ child_user_ids: [one, two] }])
    expect((await back(into.merge_id)).left).toEqual([])
    expect(await stateBeside(app, a)).toMatchObject({ guardian_link: before.guardian_link, parent: before.parent })
  })
})

describe('a merge is refused', () => {
  test('20-A22 across kinds with 422, with an id of another school exactly as with one that does not exist', async () => {
    const [child, staff] = [await pupil(), await teacher()]
    const [mother, other] = [await parent(child, '郑母'), await pupil()]
    for (const pair of [{ keep: staff, drop: child }, { keep: child, drop: staff }, { keep: mother, drop: child }]) expect(refusal(await own.preview(pair))).toEqual([422, 'people.mergeKind'])
    expect(refusal(await own.preview({ keep: mother, drop: staff }))).toEqual([422, 'people.mergeStaffFirst'])
    expect(refusal(await own.preview({ keep: child, drop: child }))).toEqual([422, 'people.mergeSelf'])
    const [foreign] = await app.running.database.tenant<PeopleDb, { user_id: string }[]>(1002, db => db.selectFrom('live_student').select('user_id').where('school_id', '=', 1002).execute())
    const { plan_hash } = await own.planned({ keep: child, drop: other })
    const body = async (drop: string) => {
      const { status, body: said } = await own.run('student', { keep: child, drop }, plan_hash)
      return { status, said }
    }
    const answers = [await body(foreign?.user_id ?? ''), await body('987654321')]
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.status).toBe(404)
    expect(refusal(await own.run('parent', { keep: child, drop: other }, plan_hash))).toEqual([422, 'people.mergeKind'])
  })

  test('without the own password, from an older preview, and outside the scope', async () => {
    const [keep, drop] = [await pupil({ user_name: '王甲' }), await pupil({ user_name: '王乙', dept_id: school.class_2 })]
    const pair = { keep, drop }
    const { plan_hash } = await own.planned(pair)
    const chosen = { 'people.class': 'keep' } as const
    const stranger = merger(app, await app.as({ school_id: a, codes }))
    const body = { ...pair, plan_hash, chosen, recheck_token: await stranger.proof() }
    expect(refusal(await app.call(mergeRunApi.student, body, { token: clerk.token }))).toEqual([403, 'people.recheck'])
    const [row] = await roll('王乙')
    await app.call(studentFileApi.update, { user_id: drop, row_version: row?.row_version ?? 0, remark: '刚改' }, { token: clerk.token })
    const stale = await own.run('student', pair, plan_hash, chosen)
    expect([...refusal(stale), stale.body.data]).toMatchObject([409, 'people.planChanged', { preview: { fields: expect.arrayContaining([expect.objectContaining({ field: 'remark', drop: '刚改' })]) } }])
    const head = merger(app, await app.as({ school_id: a, codes, scope: 'custom', scope_ids: [school.class_1] }))
    expect((await head.preview(pair)).status).toBe(404)
  })

  test('after 30 days it stays, and while something later stands upon it', async () => {
    const [keep, drop, third] = [await pupil({ user_name: '冯一' }), await pupil({ user_name: '冯二' }), await pupil({ user_name: '冯三' })]
    const first = await own.merge('student', { keep, drop })
    const second = await own.merge('student', { keep: third, drop: keep })
    expect(await label(drop)).toEqual({ display_name: '冯三', status: 'merged' })
    expect(refusal(await own.reverse(first.merge_id))).toEqual([409, 'people.undoBlocked'])
    await back(second.merge_id)
    expect(await label(drop)).toEqual({ display_name: '冯一', status: 'merged' })
    app.clock.advance(30 * 86_400_000)
    clerk = await app.as({ school_id: a, codes })
    own = merger(app, clerk)
    expect(refusal(await own.reverse(first.merge_id))).toEqual([409, 'people.mergeLate'])
    expect(dayOf(app) > from).toBe(true)
  })
})
