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
