import { startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { declareScope } from '@campus/identity/server'
import { jobApi } from '@campus/jobs/contract'
import { deptApi, parentApi, parentExportApi, personApi, studentApi, studentExportApi, studentFileApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const school_id = 1001
const codes = ['dept.view', 'student.view', 'parent.view', 'student.edit', 'student.export', 'parent.export', 'person.reveal'].map(code => `people.${code}`)

let app: TestApp
let school: SmallSchool
let teacher: TestUser

function inSchool<R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(school_id, fn)
}

/** From now on the teacher heads these classes, and no others. */
async function heads(classes: readonly string[]): Promise<void> {
  const facts = classes.map(id => ({ id, valid_from: new Date('2026-09-01T00:00:00+08:00') }))
  await inSchool(db => declareScope(db, school_id, 'people', [{ user_id: teacher.user_id, dimension: 'dept', kind: 'class_teacher', facts }]))
}

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  teacher = await app.as({ school_id, codes, scope: 'class_teacher' })
  await heads([school.class_2])
})
afterAll(() => app.close())

describe('20-A35 a class teacher sees the own class alone', () => {
  test('in lists, whatever is asked for', async () => {
    for (const input of [{}, { dept_id: school.grade, include_sub: '1' as const }, { keyword: '王' }, { on: '2026-10-01' }]) {
      const { list, total } = await students(input)
      expect(list.map(row => row.student_no)).toEqual('keyword' in input ? [] : ['20260201'])
      expect(total).toBe(list.length)
    }
    expect((await students({ dept_id: school.class_1 })).total).toBe(0)
    const parents = parentApi.list.details.reply.parse((await app.call(parentApi.list, {}, { token: teacher.token })).body.data)
    expect(parents.list.map(row => [row.user_name, row.children.map(child => child.user_name)])).toEqual([['单大山', ['单小明']]])
  })

  test('in the tree and its counts', async () => {
    const answer = await app.call(deptApi.tree, { with_count: '1' }, { token: teacher.token })
    const nodes = flat(deptApi.tree.details.reply.parse(answer.body.data).list)
    expect(nodes.filter(node => node.dept_type === 4).map(node => [node.id, node.student_count])).toEqual([[school.class_2, 1]])
    expect(nodes.map(node => node.student_count)).toEqual(nodes.map(() => 1))
  })

  test('in exports', async () => {
    for (const endpoint of [studentExportApi.export, parentExportApi.export]) {
      const answer = await app.call(endpoint, {}, { token: teacher.token })
      const { job_no } = endpoint.details.reply.parse(answer.body.data)
      expect(await ended(job_no)).toMatchObject({ state: 'succeeded', total: 1, done: 1 })
    }
  })

  test('in files: another class is not there, to read, to reveal or to write', async () => {
    const [other = ''] = school.pupils
    const own = school.pupils[2] ?? ''
    const answers = [
      await app.call(personApi.detail, { id: other }, { token: teacher.token }),
      await app.call(personApi.reveal, { user_id: other, fields: ['id_no'], reason: '核对学籍' }, { token: teacher.token }),
      await app.call(studentFileApi.update, { user_id: other, row_version: 1, remark: '走读' }, { token: teacher.token }),
    ]
    const missing = await app.call(personApi.detail, { id: '999999999' }, { token: teacher.token })
    expect(answers.map(({ status, body }) => [status, body.msg])).toEqual(answers.map(() => [missing.status, missing.body.msg]))
    expect((await app.call(personApi.detail, { id: own }, { token: teacher.token })).status).toBe(200)
  })

  test('and the class of the day: who takes another one over sees that one, a second later at most', async () => {
    const seen = async () => (await students({})).list.map(row => row.student_no)
    await heads([school.class_1])
    await expect.poll(seen, { timeout: 10_000 }).toEqual(['20260101', '20260102'])
    await heads([])
    await expect.poll(seen, { timeout: 10_000 }).toEqual([])
  })
})

async function students(input: Parameters<typeof app.call<typeof studentApi.list>>[1]) {
  return studentApi.list.details.reply.parse((await app.call(studentApi.list, { ...input, sort: 'student_no' }, { token: teacher.token })).body.data)
}

async function ended(job_no: string) {
  for (;;) {
    const job = jobApi.one.details.reply.parse((await app.call(jobApi.one, { job_no }, { token: teacher.token })).body.data)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await pause(20)
  }
}

function flat(nodes: readonly DeptTreeNode[]): DeptTreeNode[] {
  return nodes.flatMap(node => [node, ...flat(node.children)])
}
