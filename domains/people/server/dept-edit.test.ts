import { dataOf } from '@apps/server/testing'
import { deptEditApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, told } from './testing/dept-desk.ts'
import type { DeptDesk, Draft } from './testing/dept-desk.ts'

type Line = { before: unknown; after: unknown }
let desk: DeptDesk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.app.close())

describe('the board', () => {
  test('shows grades with classes, heads and the pupils of the day', async () => {
    const { board, school } = desk
    const grade = (await board()).find(one => one.id === school.grade)
    expect(grade).toMatchObject({ dept_name: '一年级', pname: '测试一校', grade: '11', enrol_year: 2026, stage: '1', head: null })
    expect(grade?.classes).toMatchObject([
      { id: school.class_1, label: '一年级1班', class_no: 1, capacity: 3, student_count: 2, boys: 1, girls: 1, boarders: 0, kept: 0, head: { user_name: '陈晓华' } },
      { id: school.class_2, label: '一年级2班', student_count: 1, boys: 1, girls: 0, head: null, closed_on: null },
    ])
    expect((await board('2026-08-31')).flatMap(one => one.classes)).toEqual([])
  })

  test('20-A35 shows the own classes alone', async () => {
    const { app, board, codes, school } = desk
    const head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_2] })
    expect((await board(undefined, head)).map(grade => grade.classes.map(one => one.id))).toEqual([[school.class_2]])
  })

  test('tells the days on which the tree changes, once for what a change brings with it', async () => {
    const { app, registrar, school, opened, update, day } = desk
    const grade = await opened(school.root, { dept_name: '九年级', dept_type: 3, grade: '23', effective_on: day(100) })
    for (const n of [1, 2]) await opened(grade, { dept_name: `九年级${n}班`, dept_type: 4, effective_on: day(100) })
    await update(grade, { row_version: 1, dept_name: '毕业年级', effective_on: day(101) })
    const { list } = dataOf(deptEditApi.days, await app.call(deptEditApi.days, {}, { token: registrar.token }))
    expect(list.filter(one => one.day >= day(100))).toEqual([{ day: day(100), changes: 3 }, { day: day(101), changes: 1 }])
  })
})

describe('a new department', () => {
  test('takes from its grade what it does not say', async () => {
    const { file, opened, school, today } = desk
    const grade = await opened(school.root, { dept_name: '二年级', dept_type: 3, grade: '12' })
    expect(await file(grade)).toMatchObject({ stage: '1', enrol_year: 2025, label: '二年级', opened_on: today, row_version: 1, pname: '测试一校' })
    const id = await opened(grade, { dept_name: '二年级1班', dept_type: 4, capacity: 45 })
    expect(await file(id)).toMatchObject({ stage: '1', enrol_year: 2025, grade: '12', class_no: 1, label: '二年级1班', tree: 'student', capacity: 45 })
    expect(await file(await opened(grade, { dept_name: '启航班', dept_type: 4 }))).toMatchObject({ class_no: null, label: '二年级启航班' })
  })

  test('20-A16 has another name than its siblings of the day, and the same as one of another year', async () => {
    const { add, opened, remove, school, day } = desk
    const office = await opened(school.root, { dept_name: '德育处', dept_type: 5, effective_on: day(-20) })
    await opened(office, { dept_name: '值班组', dept_type: 5, effective_on: day(-20) })
    expect(told(await add(school.root, { dept_name: '德育处', dept_type: 5 }))).toEqual([409, '同级下已存在同名部门'])
    expect((await add(office, { dept_name: '德育处', dept_type: 5 })).status).toBe(200)
    const old = await opened(school.root, { dept_name: '招生办', dept_type: 5, effective_on: day(-20) })
    await opened(old, { dept_name: '临时组', dept_type: 5, effective_on: day(-20) }).then(id => remove(id, { row_version: 1 }))
    await opened(old, { dept_name: '留档组', dept_type: 5, effective_on: day(-20) }).then(id => remove(id, { row_version: 1 }))
    expect((await remove(old, { row_version: 1 })).status).toBe(200)
    expect((await add(school.root, { dept_name: '招生办', dept_type: 5 })).status).toBe(200)
  })

  test.each<[string, string, Draft, string]>([
    ['a class under the school', 'root', { dept_name: '一班', dept_type: 4 }, '班级必须建在年级下'],
    ['a class under an office', 'office', { dept_name: '一班', dept_type: 4 }, '班级必须建在年级下'],
    ['a grade under a grade', 'grade', { dept_name: '小一', dept_type: 3, grade: '11' }, '该类型的部门不能建在所选上级下'],
    ['a division under a grade', 'grade', { dept_name: '小学部', dept_type: 2 }, '该类型的部门不能建在所选上级下'],
    ['an office under a class', 'class_1', { dept_name: '班委', dept_type: 5 }, '该类型的部门不能建在所选上级下'],
    ['a second school', 'root', { dept_name: '分校', dept_type: 1 }, '该类型的部门不能建在所选上级下'],
    ['a club', 'root', { dept_name: '足球社', dept_type: 10 }, '该类型的部门不能建在所选上级下'],
    ['a class of the staff tree', 'grade', { dept_name: '一班', dept_type: 4, tree: 'staff' }, '该类型的部门不能建在所选上级下'],
    ['a grade of no year', 'root', { dept_name: '预备年级', dept_type: 3 }, '输入内容有误，请重新输入！'],
    ['a class of an unknown kind', 'grade', { dept_name: '特色班', dept_type: 4, class_type: '77' }, '输入内容有误，请重新输入！'],
    ['a grade of an unknown code', 'root', { dept_name: '十年级', dept_type: 3, grade: '77', enrol_year: 2020 }, '输入内容有误，请重新输入！'],
    ['one of a day too long ago', 'root', { dept_name: '旧处', dept_type: 5, effective_on: '2026-01-01' }, '生效日期不能早于30天前'],
    ['one of a day too far ahead', 'root', { dept_name: '新处', dept_type: 5, effective_on: '2099-01-01' }, '生效日期不能晚于180天后'],
  ])('is not %s', async (_what, where, draft, sentence) => {
    const places = new Map(Object.entries(desk.school))
    expect(told(await desk.add(String(places.get(where)), draft))).toEqual([422, sentence])
  })

  test.each([['', 400], ['一年级,3班', 400], ['启航😀', 400], ['名'.repeat(31), 400]])('is not called %s', async (dept_name, status) => {
    expect((await desk.add(desk.school.grade, { dept_name, dept_type: 4 })).status).toBe(status)
  })

  test('stands at most eight levels deep, and has a code of its own', async () => {
    const { add, opened, school } = desk
    let last = school.root
    for (let level = 2; level <= 8; level += 1) last = await opened(last, { dept_name: `第${level}层`, dept_type: 5, ...(level === 8 ? { code: 'D8' } : {}) })
    expect(told(await add(last, { dept_name: '第9层', dept_type: 5 }))).toEqual([422, '部门数量或层级超过上限，请先整理组织架构'])
    expect(told(await add(school.root, { dept_name: '同码处', dept_type: 5, code: 'D8' }))).toEqual([409, '部门编码重复'])
  })

  test('is numbered after the last of its siblings', async () => {
    const { below, opened, school } = desk
    const grade = await opened(school.root, { dept_name: '四年级', dept_type: 3, grade: '14' })
    for (const n of [2, 1, 3]) await opened(grade, { dept_name: `四年级${n}班`, dept_type: 4 })
    expect(await below(grade)).toEqual(['四年级2班', '四年级1班', '四年级3班'])
  })
})

describe('an edit', () => {
  test('changes what it names, counts one version and is told in the log', async () => {
    const { app, file, opened, school, update } = desk
    const grade = await opened(school.root, { dept_name: '五年级', dept_type: 3, grade: '15' })
    const id = await opened(grade, { dept_name: '五年级1班', dept_type: 4 })
    expect((await update(id, { row_version: 1, capacity: 40, class_type: '10', code: 'C51' })).body.data).toEqual({ id, row_version: 2 })
    expect(await file(id)).toMatchObject({ capacity: 40, class_type: '10', code: 'C51', dept_name: '五年级1班', versions: [{ dept_name: '五年级1班' }] })
    expect((await update(id, { row_version: 2, dept_name: '五年级1班' })).body.data).toEqual({ id, row_version: 2 })
    expect((await update(id, { row_version: 2, dept_name: '追光班' })).body.data).toEqual({ id, row_version: 3 })
    const stale = await update(id, { row_version: 2, dept_name: '别的班' })
    expect(told(stale)).toEqual([409, '数据已被他人修改，请核对差异后再保存'])
    expect(stale.body.data).toMatchObject({ row_version: 3, changed_by: { user_name: expect.stringMatching(/^测试用户/), at: expect.any(String) } })
    const lines = await app.running.database.tenant<unknown, Line[]>(1001, async db => {
      const { rows } = await sql<Line>`select before, after from operation_log where school_id = 1001 and target_id = ${id} and call = 'people.dept.update' and ok`.execute(db)
      return rows
    })
    expect(lines).toContainEqual({ before: expect.objectContaining({ dept_name: '五年级1班', path: '测试一校/五年级/五年级1班' }), after: expect.objectContaining({ dept_name: '追光班', path: '测试一校/五年级/追光班' }) })
  })

  test('of two at once lets one win', async () => {
    const { opened, school, update, file } = desk
    const id = await opened(school.root, { dept_name: '总务处', dept_type: 5 })
    const answers = await Promise.all(['后勤处', '保障处'].map(dept_name => update(id, { row_version: 1, dept_name })))
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect((await file(id)).versions).toHaveLength(1)
  })

  test('sends no unknown keys and no type', async () => {
    const odd = { row_version: 1, dept_type: 3 }
    expect((await desk.update(desk.school.class_2, odd)).status).toBe(400)
  })
})

describe('the scope', () => {
  test('20-A35 of a head of grade ends at his grade', async () => {
    const { app, codes, school, add, update, remove, reorder, opened } = desk
    const other = await opened(school.root, { dept_name: '六年级', dept_type: 3, grade: '16' })
    const there = await opened(other, { dept_name: '六年级1班', dept_type: 4 })
    const head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.grade] })
    const mine = dataOf(deptEditApi.add, await add(school.grade, { dept_name: '一年级7班', dept_type: 4 }, head))
    expect((await reorder(mine.id, 1, head)).status).toBe(200)
    expect((await update(mine.id, { row_version: 1, dept_name: '一年级8班' }, head)).status).toBe(200)
    const missing = await update('999999999', { row_version: 1, capacity: 3 }, head)
    const foreign = [
      await add(other, { dept_name: '六年级9班', dept_type: 4 }, head),
      await add(school.root, { dept_name: '七年级', dept_type: 3, grade: '21' }, head),
      await update(there, { row_version: 1, dept_name: '我的班' }, head),
      await update(mine.id, { row_version: 2, parent_id: other }, head),
      await remove(there, { row_version: 1 }, head),
      await remove(school.grade, { row_version: 1 }, head),
      await reorder(there, 1, head),
      await reorder(school.grade, 1, head),
    ]
    for (const answer of foreign) expect([...told(answer), answer.body.data]).toEqual([404, missing.body.msg, missing.body.data])
    expect((await remove(mine.id, { row_version: 2 }, head)).status).toBe(200)
  })

  test('20-A35 holds no other school, in ids and in paths', async () => {
    const { app, add, foreign, school, registrar, update, remove, reorder } = desk
    const { token } = registrar
    const before = await app.checksum()
    for (const answer of [
      await add(foreign.grade, { dept_name: '一班', dept_type: 4 }),
      await update(foreign.class_1, { row_version: 1, dept_name: '一班' }),
      await update(school.class_2, { row_version: 1, parent_id: foreign.grade }),
      await update(school.class_2, { row_version: 1, head_user_id: foreign.teachers[0] ?? '' }),
      await remove(foreign.class_2, { row_version: 1 }),
      await reorder(foreign.class_2, 1),
      await app.call(deptEditApi.detail, { school_id: 1001, id: foreign.grade }, { token }),
      await app.call(deptEditApi.detail, { school_id: 1002, id: foreign.grade }, { token }),
      await app.call(deptEditApi.detail, { school_id: 1002, id: school.grade }, { token }),
      await app.call(deptEditApi.add, { school_id: 1002, parent_id: school.grade, dept_name: '一班', dept_type: 4 }, { token }),
      await app.call(deptEditApi.batchAdd, { parent_id: foreign.grade, from_no: 1, to_no: 3 }, { token }),
      await app.call(deptEditApi.batchUpdate, { rows: [{ id: foreign.class_1, row_version: 1, capacity: 3 }] }, { token }),
    ]) expect(answer.status).toBe(404)
    expect(await app.checksum()).toBe(before)
  })
})
