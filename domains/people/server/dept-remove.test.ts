import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, told } from './testing/dept-desk.ts'
import type { DeptDesk } from './testing/dept-desk.ts'

let desk: DeptDesk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.app.close())

describe('a removed department', () => {
  test('that never held anything vanishes', async () => {
    const { opened, remove, officesBelow, school, day, update } = desk
    const id = await opened(school.root, { dept_name: '误建处', dept_type: 5, effective_on: day(-10) })
    expect((await remove(id, { row_version: 1, dry: '1' })).body.data).toEqual({ outcome: 'deleted', dry: true, blocks: [] })
    expect(await officesBelow(school.root)).toContain('误建处')
    expect((await remove(id, { row_version: 1 })).body.data).toEqual({ outcome: 'deleted', dry: false, blocks: [] })
    expect(await officesBelow(school.root, day(-5))).not.toContain('误建处')
    expect((await update(id, { row_version: 1, capacity: 3 })).status).toBe(404)
  })

  test('with a past closes on the day, and is seen before it', async () => {
    const { opened, remove, update, officesBelow, file, add, school, day, today } = desk
    const id = await opened(school.root, { dept_name: '工会', dept_type: 5, effective_on: day(-20), head_user_id: school.teachers[1] })
    expect((await update(id, { row_version: 1, head_user_id: null })).status).toBe(200)
    expect((await remove(id, { row_version: 2, dry: '1' })).body.data).toMatchObject({ outcome: 'closed', blocks: [] })
    expect((await remove(id, { row_version: 2 })).body.data).toMatchObject({ outcome: 'closed', dry: false })
    expect([(await officesBelow(school.root, day(-1))).includes('工会'), (await officesBelow(school.root)).includes('工会')]).toEqual([true, false])
    expect(await file(id)).toMatchObject({ closed_on: today, dept_name: '工会', row_version: 3 })
    expect(told(await update(id, { row_version: 3, dept_name: '新工会' }))).toEqual([409, '部门已关闭，不能再修改'])
    expect(told(await add(id, { dept_name: '下级', dept_type: 5 }))).toEqual([409, '部门已关闭，不能再修改'])
    expect(told(await remove(id, { row_version: 3 }))).toEqual([409, '部门已关闭，不能再修改'])
    expect((await add(school.root, { dept_name: '工会', dept_type: 5 })).status).toBe(200)
  })

  test('of a coming day stays until then', async () => {
    const { opened, remove, update, officesBelow, school, day } = desk
    const id = await opened(school.root, { dept_name: '筹备组', dept_type: 5, head_user_id: school.teachers[1] })
    await update(id, { row_version: 1, head_user_id: null, effective_on: day(3) })
    expect((await remove(id, { row_version: 2, effective_on: day(3) })).status).toBe(200)
    expect([(await officesBelow(school.root, day(2))).includes('筹备组'), (await officesBelow(school.root, day(3))).includes('筹备组')]).toEqual([true, false])
    expect((await update(id, { row_version: 3, dept_name: '筹备小组' })).status).toBe(200)
    expect([(await officesBelow(school.root, day(2))).includes('筹备小组'), (await officesBelow(school.root, day(3))).includes('筹备小组')]).toEqual([true, false])
  })
})

describe('a department that is in use', () => {
  test('stays, and says what stands in the way', async () => {
    const { app, remove, school, foreign } = desk
    const before = await app.checksum()
    const blocks = [{ title: '学生', count: 2 }, { title: '负责人', count: 1 }]
    expect((await remove(school.class_1, { row_version: 1, dry: '1' })).body.data).toEqual({ outcome: 'closed', dry: true, blocks })
    const answer = await remove(school.class_1, { row_version: 1 })
    expect([...told(answer), answer.body.data]).toEqual([409, '部门下还有人员或下级部门，不能删除', { blocks }])
    expect((await remove(school.grade, { row_version: 1 })).body.data).toEqual({ blocks: [{ title: '下级部门', count: 2 }] })
    expect((await remove(school.office, { row_version: 1 })).body.data).toEqual({ blocks: [{ title: '教职工', count: 2 }] })
    expect(told(await remove(school.root, { row_version: 1, dry: '1' }))).toEqual([409, '学校根节点不能移动或删除'])
    expect((await remove(school.class_2, { row_version: 9 })).status).toBe(409)
    expect((await remove(foreign.class_2, { row_version: 1, dry: '1' })).status).toBe(404)
    expect(await app.checksum()).toBe(before)
  })

  test('later is in use now', async () => {
    const { opened, remove, update, school, day } = desk
    const office = await opened(school.root, { dept_name: '科研处', dept_type: 5 })
    const below = await opened(office, { dept_name: '课题组', dept_type: 5, effective_on: day(20) })
    expect((await remove(office, { row_version: 1, dry: '1' })).body.data).toMatchObject({ blocks: [{ title: '下级部门', count: 1 }] })
    await remove(below, { row_version: 1 })
    await update(office, { row_version: 1, dept_name: '教科研处', effective_on: day(20) })
    expect((await remove(office, { row_version: 2, dry: '1' })).body.data).toMatchObject({ blocks: [{ title: '未来生效的变更', count: 1 }] })
  })

  test('is not removed while something is put below it', async () => {
    const { opened, add, remove, school, officesBelow } = desk
    const office = await opened(school.root, { dept_name: '保卫处', dept_type: 5 })
    const [added, removed] = await Promise.all([add(office, { dept_name: '门卫', dept_type: 5 }), remove(office, { row_version: 1 })])
    expect([added.status, removed.status]).toEqual(added.status === 200 ? [200, 409] : [404, 200])
    expect((await officesBelow(school.root)).includes('保卫处')).toBe(added.status === 200)
  })
})

describe('the planned end of a department', () => {
  const planned = async (dept_name: string, days = 5) => {
    const { opened, update, remove, school, day } = desk
    const id = await opened(school.root, { dept_name, dept_type: 5, head_user_id: school.teachers[1] })
    await update(id, { row_version: 1, head_user_id: null, effective_on: day(days) })
    expect((await remove(id, { row_version: 2, effective_on: day(days) })).status).toBe(200)
    return id
  }

  test('is taken back: it goes on as if nothing had been planned, and the log says who did it', async () => {
    const { app, keepOpen, officesBelow, file, school, day } = desk
    const id = await planned('编研室')
    const before = await file(id)
    const answer = await keepOpen(id, 3)
    expect([answer.status, answer.body.data]).toEqual([200, { id, row_version: 4 }])
    expect(await officesBelow(school.root, day(6))).toContain('编研室')
    expect(before.versions.at(-1)?.valid_to).toBe(day(5))
    expect(await file(id)).toMatchObject({ closed_on: null, row_version: 4, versions: [{ valid_to: null, dept_name: '编研室' }] })
    const { rows } = await app.running.database.tenant(1001, db => sql<object>`
      select op_type, before, after from operation_log where school_id = 1001 and call = 'people.dept.keepOpen' and target_id = ${id} and ok`.execute(db))
    expect(rows).toEqual([{ op_type: 14, before: { closed_on: day(5) }, after: { closed_on: null } }])
  })

  test('goes on below the parent by its name of that day', async () => {
    const { opened, update, remove, keepOpen, paths, school, day } = desk
    const above = await opened(school.root, { dept_name: '信息处', dept_type: 5 })
    const id = await opened(above, { dept_name: '网络组', dept_type: 5, head_user_id: school.teachers[1] })
    await update(id, { row_version: 1, head_user_id: null, effective_on: day(3) })
    await remove(id, { row_version: 2, effective_on: day(3) })
    expect((await update(above, { row_version: 1, dept_name: '信息中心处', effective_on: day(10) })).status).toBe(200)
    expect((await keepOpen(id, 3)).status).toBe(200)
    expect((await paths(id)).map(path => path.split('/').slice(-2).join('/'))).toEqual(['信息处/网络组', '信息中心处/网络组'])
  })

  test('stays when there is none, when another has taken the name, when the day has come, and for a stranger', async () => {
    const { app, add, keepOpen, file, school, foreign, day } = desk
    const id = await planned('档案室')
    expect((await add(school.root, { dept_name: '档案室', dept_type: 5, effective_on: day(7) })).status).toBe(200)
    expect(told(await keepOpen(id, 3))).toEqual([409, '同级下已存在同名部门'])
    expect(told(await keepOpen(id, 2))[0]).toBe(409)
    expect(told(await keepOpen(school.office, 1))).toEqual([409, '部门没有关闭计划，请刷新后重试'])
    expect((await keepOpen(foreign.class_2, 1)).status).toBe(404)
    const viewer = await app.as({ school_id: 1001, codes: ['people.dept.view'] })
    expect((await keepOpen(id, 3, viewer)).status).toBe(403)
    expect(await file(id)).toMatchObject({ closed_on: day(5), row_version: 3 })
    const other = await planned('史志办', 1)
    app.clock.advance(2 * 86_400_000)
    const again = await app.as({ school_id: 1001, codes: [...desk.codes] })
    expect(told(await keepOpen(other, 3, again))).toEqual([409, '部门已关闭，不能再修改'])
  })
})
