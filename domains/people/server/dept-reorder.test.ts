import { dataOf } from '@apps/server/testing'
import { deptEditApi } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, told } from './testing/dept-desk.ts'
import type { DeptDesk } from './testing/dept-desk.ts'

let desk: DeptDesk
let grade: string
let classes: string[]

beforeAll(async () => {
  desk = await openDesk()
  const { app, opened, registrar, school } = desk
  grade = await opened(school.root, { dept_name: '二年级', dept_type: 3, grade: '12' })
  const answer = await app.call(deptEditApi.batchAdd, { parent_id: grade, from_no: 1, to_no: 8 }, { token: registrar.token })
  classes = dataOf(deptEditApi.batchAdd, answer).list.map(({ id }) => id)
})
afterAll(() => desk.app.close())

test('a department takes the place that is named, the others close up', async () => {
  const { reorder, below, file, today } = desk
  const [first = '', second = ''] = classes
  const { list } = dataOf(deptEditApi.reorder, await reorder(first, 3))
  expect(list.map(({ show_order }) => show_order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect((await below(grade)).slice(0, 3)).toEqual(['二年级2班', '二年级3班', '二年级1班'])
  await reorder(second, 9999)
  expect((await below(grade)).at(-1)).toBe('二年级2班')
  expect(await file(first)).toMatchObject({ row_version: 1, versions: [{ valid_from: today, valid_to: null }] })
})

test('20-A15 twenty calls at once leave a permutation without gaps', async () => {
  const { reorder, below, app } = desk
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => reorder(classes[at % classes.length] ?? '', (at * 5) % 8 + 1)))
  expect(answers.map(answer => answer.status)).toEqual(answers.map(() => 200))
  const orders = await app.running.database.tenant<{ dept_version: { school_id: number; parent_id: string; show_order: number } }, { show_order: number }[]>(1001, db =>
    db.selectFrom('dept_version').select('show_order').where('school_id', '=', 1001).where('parent_id', '=', grade).orderBy('show_order').execute(),
  )
  expect(orders.map(({ show_order }) => show_order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect((await below(grade)).toSorted()).toEqual(Array.from({ length: 8 }, (_, at) => `二年级${at + 1}班`))
})

test('a new order holds for coming names too, and beside a rename at the same moment', async () => {
  const { reorder, update, below, day } = desk
  const [, , third = ''] = classes
  await update(third, { row_version: 1, dept_name: '星河班', effective_on: day(10) })
  const [moved, renamed] = await Promise.all([reorder(third, 1), update(third, { row_version: 2, dept_name: '银河班', effective_on: day(10) })])
  expect([moved.status, renamed.status]).toEqual([200, 200])
  expect([(await below(grade))[0], (await below(grade, day(10)))[0]]).toEqual(['二年级3班', '银河班'])
})

test('the order of the pupils tree is its own, the root has none', async () => {
  const { opened, reorder, below, school } = desk
  await opened(school.root, { dept_name: '三年级', dept_type: 3, grade: '13' })
  const { list } = dataOf(deptEditApi.reorder, await reorder(grade, 1))
  expect(list.map(({ id }) => id)).not.toContain(school.office)
  expect(await below(school.root)).toEqual(['二年级', '一年级', '三年级'])
  expect(told(await reorder(school.root, 1))).toEqual([409, '学校根节点不能移动或删除'])
})
