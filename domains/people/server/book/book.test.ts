import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { bookApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { hireStaff } from '../staff.create.ts'
import { openSchool } from '../testing/changer.ts'

type Line = Request<typeof bookApi.saveList>['entries'][number]
let app: TestApp
let clerk: TestUser
let root: string
let staff: string[]
let foreign: string[]

beforeAll(async () => {
  app = await startTestApp()
  ;[root = '', staff] = await hired(1001)
  foreign = (await hired(1002))[1]
  clerk = await app.as({ school_id: 1001, codes: ['people.addr.edit'] })
})
afterAll(() => app.close())

/** Two of the staff in the root department. */
async function hired(school_id: number): Promise<[string, string[]]> {
  await openSchool(app, school_id)
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, [string, string[]]>(school_id, async db => {
    const { id } = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('pname', 'is', null).executeTakeFirstOrThrow()
    const draft = (at: number) => ({ user_name: `书老师${at}`, sex: '1', teacher_no: `BK${at}`, mobile: `1695550000${at}`, kind: '11', join_month: '202009', from: '2026-09-01', depts: [{ dept_id: id, is_primary: true }], duties: [] })
    return [id, await hireStaff(db, running.secrets, school_id, [draft(1), draft(2)])]
  })
}

const read = async (type: '1' | '2' | '3' = '1') => dataOf(bookApi.list, await app.call(bookApi.list, { type }, { token: clerk.token }))
const put = async (entries: Line[], type: '1' | '2' | '3' = '1', version?: number): Promise<Answer> =>
  app.call(bookApi.saveList, { type, entries, row_version: version ?? (await read(type)).book.row_version }, { token: clerk.token })
const told = ({ status, body }: Answer) => [status, body.msg]

test('a book that was never saved is closed and empty; saved it keeps its order, and a second writer of the same version is told', async () => {
  const { book, entries } = await read()
  expect([book, entries]).toEqual([{ type: '1', is_open: false, show_mobile: 'mask', dept_ids: [], row_version: 0 }, []])
  const [first = '', second = ''] = staff
  expect((await put([{ user_id: second }, { dept_id: root }, { user_id: first, visible: false }], '1', 0)).status).toBe(200)
  expect(told(await put([], '1', 0))).toEqual([409, '数据已被他人修改，请核对差异后再保存'])
  const saved = await read()
  expect(saved.entries.map(({ name, about, visible, is_gone }) => [name, about.slice(0, 3), visible, is_gone])).toEqual([['书老师2', 'BK2', true, false], [expect.any(String), '', true, false], ['书老师1', 'BK1', false, false]])
  expect(saved.shown[0]).toEqual({ title: '联系人', people: [{ name: '书老师2', post: '', phone: '169****0002' }], more: 0 })
  expect(JSON.stringify(saved)).not.toContain('书老师1","post"')
})

test('who reads it is saved beside it; a version that has passed is refused', async () => {
  const { row_version } = (await read()).book
  const settings = { type: '1' as const, is_open: true, show_mobile: 'full' as const, dept_ids: [root] }
  expect(dataOf(bookApi.save, await app.call(bookApi.save, { ...settings, row_version }, { token: clerk.token })).row_version).toBe(row_version + 1)
  expect((await app.call(bookApi.save, { ...settings, row_version }, { token: clerk.token })).status).toBe(409)
  const { book, shown } = await read()
  expect([book.is_open, book.show_mobile, book.dept_ids]).toEqual([true, 'full', [root]])
  expect(JSON.stringify(shown)).not.toMatch(/16955500002/)
})

test('people of another school, people who are none, and departments of another school are no lines', async () => {
  const [stranger = ''] = foreign
  expect((await put([{ user_id: stranger }])).status).toBe(404)
  expect((await put([{ user_id: '999999999' }])).status).toBe(404)
  expect((await put([{ dept_id: '999999999' }])).status).toBe(404)
  expect(told(await put([{ dept_id: root }, { dept_id: root }]))[0]).toBe(400)
  expect(told(await put([{ dept_id: root, title: '两样', tel: '110' }]))[0]).toBe(400)
})

test('numbers of nobody: a wrong one is told beside its field, people stand in the other books, a line is taken out', async () => {
  expect(told(await put([{ dept_id: root }], '3'))).toEqual([422, '常用电话只能添加电话，人员和部门请添加到前两个通讯录'])
  const wrong = await put([{ title: '门卫室', tel: '电话' }], '3')
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('电话只能填写数字')])
  await put([{ title: '门卫室', tel: '0571-88001234' }, { title: '医务室', tel: '0571-88001235转2' }], '3')
  const { entries } = await read('3')
  const remove = (ids: string) => app.call(bookApi.deleteList, { type: '3', ids }, { token: clerk.token })
  expect((await remove(entries[0]?.id ?? '')).status).toBe(200)
  expect((await remove(entries[0]?.id ?? '')).status).toBe(404)
  expect((await read('3')).shown).toEqual([{ title: '常用电话', people: [{ name: '医务室', post: '', phone: '0571-88001235转2' }], more: 0 }])
})

test('staff to choose are found by name, those who stand in the book are marked; without the permission nothing is answered', async () => {
  const asked = { type: '1' as const, keyword: '书老师', page_size: 20 }
  const { list } = dataOf(bookApi.teacherList, await app.call(bookApi.teacherList, asked, { token: clerk.token }))
  expect(list.map(({ user_name, is_chosen }) => [user_name, is_chosen])).toEqual([['书老师1', true], ['书老师2', true]])
  const { token } = await app.as({ school_id: 1001, codes: ['people.staff.view'] })
  expect((await app.call(bookApi.teacherList, asked, { token })).status).toBe(403)
})
