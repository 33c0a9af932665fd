import { startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { deptApi, parentApi, studentApi } from '@campus/people/contract'
import type { DeptTreeNode, StudentRow } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const codes = ['people.dept.view', 'people.student.view', 'people.parent.view']
let app: TestApp
let school: SmallSchool
let registrar: TestUser
let head: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await makeSchool(1001)
  await makeSchool(1002)
  registrar = await app.as({ school_id: 1001, codes })
  head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
})

afterAll(() => app.close())

async function makeSchool(school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
}

async function names(query: Request<typeof studentApi.list>, who = registrar): Promise<string[]> {
  return (await pupils(query, who)).map(row => row.user_name)
}

async function pupils(query: Request<typeof studentApi.list>, who = registrar): Promise<StudentRow[]> {
  const answer = await app.call(studentApi.list, query, { token: who.token })
  const { list, total } = studentApi.list.details.reply.parse(answer.body.data)
  expect(total).toBe(list.length)
  return list
}

async function tree(query: Request<typeof deptApi.tree>, who = registrar): Promise<DeptTreeNode[]> {
  const answer = await app.call(deptApi.tree, query, { token: who.token })
  return deptApi.tree.details.reply.parse(answer.body.data).list
}

describe('the list of pupils', () => {
  test('shows masked numbers, the class label and the guardians, first contact first', async () => {
    const [row] = await pupils({ keyword: '王子涵' })
    expect(row).toMatchObject({ student_no: '20260101', dept_name: '一年级1班', grade: '11', state: '01', id_no: '370***********0019' })
    expect(row?.parents.map(parent => [parent.user_name, parent.mobile, parent.is_first])).toEqual([
      ['王志强', '169****0001', true],
      ['李秀芳', '169****0002', false],
    ])
  })

  test.each<[string, string[]]>([
    ['子', ['王子涵', '王子轩']],
    ['wangzi', ['王子涵', '王子轩']],
    ['sxm', ['单小明']],
    ['shanxiao', ['单小明']],
    ['202602', ['单小明']],
    ['0003', ['单小明']],
    ['16900000001', ['王子涵', '王子轩']],
    ['370200202005120035', ['单小明']],
    ['%', []],
    ['赵', []],
  ])('is searched by %s', async (keyword, found) => {
    expect(await names({ keyword })).toEqual(found)
  })

  test('is filtered by class, grade, sex and what is missing', async () => {
    expect(await names({ dept_id: school.class_2 })).toEqual(['单小明'])
    expect(await names({ dept_id: school.grade, include_sub: '1' })).toEqual(['王子涵', '王子轩', '单小明'])
    expect(await names({ dept_id: school.grade })).toEqual([])
    expect(await names({ sex: '2' })).toEqual(['王子轩'])
    expect(await names({ missing: 'photo' })).toHaveLength(3)
    expect(await names({ missing: 'guardian' })).toEqual([])
  })

  test('is sorted by pinyin', async () => {
    expect(await names({ sort: 'name_py' })).toEqual(['单小明', '王子涵', '王子轩'])
  })

  test('20-A2 shows the roster of a day', async () => {
    expect(await names({ on: '2026-08-31' })).toEqual([])
    expect(await names({ on: school.from })).toHaveLength(3)
  })

  test('20-A35 shows a class teacher the own class alone', async () => {
    expect(await names({}, head)).toEqual(['王子涵', '王子轩'])
    expect(await names({ dept_id: school.class_2 }, head)).toEqual([])
    expect(await names({ keyword: '单小明' }, head)).toEqual([])
  })

  test('shows nothing to an identity without a scope', async () => {
    expect(await names({}, await app.as({ school_id: 1001, codes, scope: 'none' }))).toEqual([])
  })

  test('20-A35 knows no class of the next school', async () => {
    const stranger = await app.as({ school_id: 1002, codes })
    const answer = await app.call(studentApi.list, { dept_id: school.class_1 }, { token: stranger.token })
    expect(answer.status).toBe(404)
  })
})

describe('the tree of departments', () => {
  test('20-A4 counts everybody below once', async () => {
    const [root] = await tree({ tree: 'student', with_count: '1' })
    expect([root?.student_count, root?.children[0]?.student_count]).toEqual([3, 3])
    expect(root?.children[0]?.children.map(node => [node.dept_name, node.student_count])).toEqual([['一年级1班', 2], ['一年级2班', 1]])
    const [staff] = await tree({ tree: 'staff', with_count: '1' })
    expect([staff?.staff_count, staff?.children[0]?.dept_name]).toEqual([2, '教务处'])
  })

  test('20-A4 who shows the tag of an unchanged tree is told 304; another scope and a changed tree have another tag', async () => {
    const asked = (tag: string | null, who = registrar) => app.call(deptApi.tree, { tree: 'student', with_count: '1' }, { token: who.token, headers: tag === null ? {} : { 'if-none-match': tag } })
    const first = await asked(null)
    const tag = first.headers.get('etag')
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)])
    const again = await asked(`"other", W/${tag}`)
    expect([again.status, again.bytes.length, again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([304, 0, tag, 'no-store'])
    expect((await asked(tag, head)).status).toBe(200)
    const rename = (from: string, to: string) => app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('dept_version').set({ dept_name: to }).where('school_id', '=', 1001).where('dept_name', '=', from).execute())
    await rename('一年级2班', '一年级2班（实验）')
    const changed = await asked(tag)
    await rename('一年级2班（实验）', '一年级2班')
    expect([changed.status, (await asked(tag)).status]).toEqual([200, 304])
  })

  test('20-A35 shows a class teacher the way to the own class, without the others', async () => {
    const [root] = await tree({ tree: 'student', with_count: '1' }, head)
    expect(root?.student_count).toBe(2)
    expect(root?.children[0]?.children.map(node => node.dept_name)).toEqual(['一年级1班'])
  })

  test('opens level by level and finds by name', async () => {
    const level = async (query: Request<typeof deptApi.lazyTree>) => {
      const answer = await app.call(deptApi.lazyTree, query, { token: registrar.token })
      return deptApi.lazyTree.details.reply.parse(answer.body.data).list.map(node => node.dept_name)
    }
    expect(await level({ parent_id: school.grade })).toEqual(['一年级1班', '一年级2班'])
    expect(await level({ keyword: '2班' })).toEqual(['一年级2班'])
  })

  test('has only the root before anything else was opened, and nothing before that', async () => {
    expect((await tree({ on: '2020-01-01' })).length).toBe(0)
  })

  test('of another school answers like a missing one', async () => {
    const answer = await app.call(deptApi.tree, { school_id: 1002 }, { token: registrar.token })
    expect(answer.status).toBe(404)
  })
})

describe('the list of parents', () => {
  const parents = async (query: Request<typeof parentApi.list>, who = registrar) => {
    const answer = await app.call(parentApi.list, query, { token: who.token })
    return parentApi.list.details.reply.parse(answer.body.data).list.map(row => [row.user_name, row.mobile, row.children.map(child => child.user_name)])
  }

  test('20-A21 shows one parent with all children', async () => {
    expect(await parents({ keyword: '0001' })).toEqual([['王志强', '169****0001', ['王子涵', '王子轩']]])
  })

  test('is found by the name of a child and filtered by class', async () => {
    expect(await parents({ keyword: '单小明' })).toEqual([['单大山', '169****0003', ['单小明']]])
    expect(await parents({ dept_id: school.class_2 })).toEqual([['单大山', '169****0003', ['单小明']]])
  })

  test('20-A35 shows a class teacher the parents of the own class', async () => {
    expect((await parents({}, head)).map(([name]) => name)).toEqual(['李秀芳', '王志强'])
  })
})
