import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { deptApi, staffApi, studentApi, syncApi } from '@campus/people/contract'
import type { SyncKind } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool, stateHash } from '../testing/changer.ts'
import { importer } from '../testing/importer.ts'
import { zipOf } from '../testing/zip.ts'

const school_id = 1001
const codes = ['people.sync.run', 'people.dept.import', 'people.student.import', 'people.staff.import', 'people.dept.view', 'people.student.view', 'people.staff.view']
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let by: ReturnType<typeof importer>

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  by = importer(app, clerk)
})
afterAll(() => app.close())

const manifest = 'propertyName,value\noneroster.version,1.1\n'
const orgs = 'sourcedId,status,name,type,identifier,parentSourcedId\ns1,active,本校,school,,\no1,active,教务处,department,,s1\no2,active,信息中心,department,,s1\no3,tobedeleted,旧处室,department,,s1\n'
const classes = 'sourcedId,status,title,grades,classType\nc1,active,1班,01,homeroom\nc3,active,3班,01,homeroom\nm1,active,数学,01,scheduled\n'
const users = [
  'sourcedId,status,orgSourcedIds,role,username,givenName,familyName,identifier,email,sms,agentSourcedIds',
  'u1,active,s1,student,,子涵,王,20260101,zihan@example.com,,p1',
  'u2,active,s1,student,,小新,赵,20269999,,,p2',
  'u3,tobedeleted,s1,student,,小明,单,20260201,,,',
  't1,active,"s1,o1",teacher,T1,晓华,陈,,chen@example.com,16910000001,',
  'p1,active,s1,parent,,志强,王,,,16900000001,',
  'p2,active,s1,guardian,,大新,赵,,,16900008888,',
].join('\r\n')
const enrollments = 'sourcedId,status,classSourcedId,userSourcedId,role\ne1,active,c1,u1,student\ne2,active,m1,u1,student\ne3,active,c1,u2,student\n'
const demographics = 'sourcedId,status,birthDate,sex\nu1,active,2020-05-12,male\nu2,active,2020-03-01,female\n'
const whole = { manifest, orgs, classes, users, enrollments, demographics }

function send(kind: SyncKind, files: Partial<Record<keyof typeof whole, string>> | Uint8Array, who = clerk): Promise<Answer> {
  const body = files instanceof Uint8Array ? files : new Uint8Array(zipOf(Object.entries(files).map(([name, text]) => ({ name: `export/${name}.csv`, bytes: Buffer.from(text) }))))
  return app.call(syncApi[kind], {}, { token: who.token, file: { name: '上游名册.zip', body } })
}

/** Everything that is known of people and departments. */
const people = async () => Object.entries(await stateHash(app, school_id)).filter(([table]) => /^(?:person|student|staff|parent|guardian|dept)/.test(table))

test('departments and classes of a roster come as an import with a dry run; the same roster again changes nothing', async () => {
  const told = dataOf(syncApi.dept, await send('dept', whole))
  expect(told).toMatchObject({ kind: 'dept', source: 'oneroster', file_name: '上游名册.zip', removed: 1, ignored: 2, batches: [{ template: 'department', lines: 4 }] })
  const [batch] = told.batches
  const parsed = await by.settled(batch?.batch_no ?? '')
  expect([parsed.state, parsed.rows_new, parsed.rows_same, parsed.rows_error]).toEqual(['parsed', 2, 2, 0])
  expect(await by.apply(parsed.batch_no)).toMatchObject({ state: 'applied', rows_applied: 2 })
  const { list } = dataOf(deptApi.lazyTree, await app.call(deptApi.lazyTree, { parent_id: school.grade }, { token: clerk.token }))
  expect(list.map(node => node.dept_name)).toContain('一年级3班')
  const again = dataOf(syncApi.dept, await send('dept', whole))
  expect(await by.settled(again.batches[0]?.batch_no ?? '')).toMatchObject({ rows_same: 4, rows_new: 0, rows_change: 0 })
})

test('people of a roster come as two imports; who is known is changed, who is new wants what the upstream does not say, nobody leaves', async () => {
  const before = await people()
  const told = dataOf(syncApi.user, await send('user', whole))
  expect(told).toMatchObject({ removed: 1, batches: [{ template: 'student', lines: 2 }, { template: 'teacher', lines: 1 }] })
  const [students, teachers] = await Promise.all(told.batches.map(batch => by.settled(batch.batch_no)))
  expect([students?.rows_change, students?.rows_error]).toEqual([1, 1])
  const [known, fresh] = await by.rows(students?.batch_no ?? '')
  expect(known?.diff.map(change => [change.prop, change.after])).toContainEqual(['email', 'zihan@example.com'])
  expect(fresh?.errors.map(issue => issue.msg)).toContain('必填项不能为空')
  expect(teachers).toMatchObject({ rows_change: 1, rows_error: 0 })
  expect(await people()).toEqual(before)
  expect(await by.apply(teachers?.batch_no ?? '')).toMatchObject({ state: 'applied' })
  const [chen] = dataOf(staffApi.list, await app.call(staffApi.list, { keyword: 'T1' }, { token: clerk.token })).list
  expect(chen?.user_name).toBe('陈晓华')
  expect(dataOf(studentApi.list, await app.call(studentApi.list, { keyword: '20260201' }, { token: clerk.token })).total).toBe(1)
  const logs = dataOf(syncApi.logs, await app.call(syncApi.logs, {}, { token: clerk.token })).list
  expect(logs[0]).toEqual(told)
})

test.each([
  ['no archive', () => new TextEncoder().encode('这不是压缩包'), '名册不是可用的 zip 压缩包，请从上游系统重新导出 OneRoster CSV'],
  ['without people', () => ({ manifest, orgs }), '压缩包中没有 users.csv，请从上游系统导出完整的 OneRoster CSV'],
  ['of a version nobody reads', () => ({ ...whole, manifest: 'propertyName,value\noneroster.version,2.0\n' }), '不支持 OneRoster 2.0，请导出 1.1 或 1.2 版'],
  ['without anybody', () => ({ users: 'sourcedId,status\n' }), '名册中没有可以导入的内容，请核对导出范围'],
])('20-A19 a roster %s is refused with what to do', async (_, files, msg) => {
  const answer = await send('user', files())
  expect([answer.status, answer.body.msg]).toEqual([422, msg])
})

test('20-A35 the log of a school is its own, and only for whoever may sync', async () => {
  const other = await app.as({ school_id: 1002, codes })
  expect(dataOf(syncApi.logs, await app.call(syncApi.logs, {}, { token: other.token })).total).toBe(0)
  const looker = await app.as({ school_id, codes: ['people.student.import'] })
  expect((await send('user', whole, looker)).status).toBe(403)
})
