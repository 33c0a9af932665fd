import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { personApi, studentFileApi } from '@campus/people/contract'
import type { FileGuardian, PersonFile } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Db, PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

type Patch = Request<typeof studentFileApi.update>
type Reveal = Request<typeof personApi.reveal>

const codes = ['people.student.view', 'people.student.edit', 'people.person.reveal']
let app: TestApp
let school: SmallSchool
let registrar: TestUser
let pupil: PersonFile
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', 1001).executeTakeFirstOrThrow()
    const small = await buildSmallSchool(db, app.running.app.secrets, 1001, root.id)
    await db.updateTable('dept').set({ capacity: null }).where('school_id', '=', 1001).execute()
    return small
  })
  registrar = await app.as({ school_id: 1001, codes })
})

afterAll(() => app.close())

/** A pupil of one's own with father and mother, the father first. */
beforeEach(async () => {
  made += 1
  const mobile = (at: number) => `169000${made}000${at}`
  const parents = [
    { user_name: '何父', mobile: mobile(1), relation: '51', id_type: '1', id_no: `37020019800512${String(made).padStart(3, '0')}X`, work: '港务局' },
    { user_name: '何母', mobile: mobile(2), relation: '52', is_guardian: false },
  ]
  const input = { dept_id: school.class_2, user_name: '何小鱼', sex: '1', student_no: `H${made}`, id_no: null, parents, accept_warnings: ['parents.0.id_no'] }
  pupil = await file(dataOf(studentFileApi.create, await app.call(studentFileApi.create, input, { token: registrar.token })).user_id)
})

function inSchool<R>(fn: (db: Db) => Promise<R>): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(1001, fn)
}

async function file(id: string): Promise<PersonFile> {
  return dataOf(personApi.detail, await app.call(personApi.detail, { id }, { token: registrar.token }))
}

function edit(parents: Patch['parents'], more: Partial<Patch> = {}): Promise<Answer> {
  return app.call(studentFileApi.update, { user_id: pupil.user_id, row_version: pupil.row_version, parents, ...more }, { token: registrar.token })
}

function parentNamed(name: string): FileGuardian {
  const found = pupil.parents.find(parent => parent.user_name === name)
  if (!found) throw new Error(`no guardian ${name}`)
  return found
}

async function after(): Promise<[name: string, first: boolean, guardian: boolean][]> {
  return (await file(pupil.user_id)).parents.map(parent => [parent.user_name, parent.is_first, parent.is_guardian])
}

function told({ status, body }: Answer): unknown[] {
  return [status, body.msg]
}

describe('the guardians of a pupil', () => {
  test('change, leave and join in one edit; the one who asks to be first moves the other back', async () => {
    const lines = [
      { user_id: parentNamed('何母').user_id, is_first: true, is_guardian: true, work: '医院', row_version: 1 },
      { user_name: '何爷爷', mobile: `1690009000${made}`, relation: '61', is_guardian: false },
    ]
    expect(told(await edit(lines))).toEqual([200, '操作成功'])
    expect(await after()).toEqual([['何母', true, true], ['何父', false, true], ['何爷爷', false, false]])
    const old = await inSchool(db => db.selectFrom('archive_log_v').select(['fields', 'person_kind']).where('school_id', '=', 1001).where('person_id', '=', parentNamed('何母').user_id).execute())
    expect(old.map(row => row.fields.toSorted())).toEqual([['child'], ['is_first', 'is_guardian', 'work']])
  })

  test('lose the first contact: the next one steps forward', async () => {
    expect(told(await edit([{ user_id: parentNamed('何父').user_id, removed: true }, { user_id: parentNamed('何母').user_id, is_guardian: true }]))).toEqual([200, '操作成功'])
    expect(await after()).toEqual([['何母', true, true]])
  })

  test('20-A21 keep one who answers for the pupil', async () => {
    const father = parentNamed('何父').user_id
    for (const line of [{ user_id: father, removed: true }, { user_id: father, is_guardian: false }]) {
      expect(told(await edit([line]))).toEqual([409, '至少保留一名监护人'])
    }
    expect(await after()).toEqual([['何父', true, true], ['何母', false, false]])
  })

  test('are six at most, one of them first, each with a mobile of his own', async () => {
    const more = (at: number) => ({ user_name: `亲属${at}`, mobile: `1690007${made}00${at}`, relation: '81' })
    expect(told(await edit([1, 2, 3, 4, 5].map(more)))).toEqual([422, '输入内容有误，请重新输入！'])
    expect((await edit([{ ...more(1), is_first: true }, { ...more(2), is_first: true }])).body.data).toMatchObject({ errors: [{ field: 'parents.1.is_first', msg: '只能有一名第一联系人' }] })
    expect((await edit([more(1), { ...more(2), mobile: more(1).mobile }])).body.data).toMatchObject({ errors: [{ field: 'parents.1.mobile', msg: '手机号已被占用' }] })
  })

  test('join who has the mobile and the name, and take no number of anybody else', async () => {
    expect(told(await edit([{ user_name: '陈晓华', mobile: '16910000001', relation: '52' }]))).toEqual([200, '操作成功'])
    const joined = (await file(pupil.user_id)).parents.find(parent => parent.user_name === '陈晓华')
    expect([joined?.user_id, joined?.is_locked]).toEqual([school.teachers[0], true])
    pupil = await file(pupil.user_id)
    expect(told(await edit([{ user_id: joined?.user_id, user_name: '陈小花' }]))).toEqual([409, '该家长也是本校教职工或学生，请在其本人档案中修改'])
    expect((await edit([{ user_id: parentNamed('何父').user_id, mobile: '16900000003' }])).body.data).toMatchObject({ errors: [{ field: 'parents.0.mobile', msg: '手机号已被占用' }] })
    expect(told(await edit([{ user_id: school.pupils[0], relation: '51' }]))).toEqual([404, '数据不存在或已被删除'])
  })

  test('are seen by another edit of the same guardian', async () => {
    const father = parentNamed('何父')
    const line = { user_id: father.user_id, row_version: father.row_version }
    expect(told(await edit([{ ...line, user_name: '何大父' }]))).toEqual([200, '操作成功'])
    const late = await edit([{ ...line, user_name: '何老父' }], { row_version: 2 })
    expect(told(late)).toEqual([409, '数据已被他人修改，请核对差异后再保存'])
    expect(late.body.data).toMatchObject({ differences: [{ field: 'parents', mine: '何老父(父亲)、何母(母亲)', theirs: '何大父(父亲)、何母(母亲)' }] })
  })
})

describe('protected values', () => {
  const reveal = (input: Reveal, who = registrar) => app.call(personApi.reveal, input, { token: who.token })

  test('20-A28 are shown for a reason, which the log keeps with the fields', async () => {
    const father = parentNamed('何父').user_id
    expect(told(await reveal({ user_id: father, fields: ['mobile'], reason: ' ' }))).toEqual([422, '请填写原因'])
    const answer = await reveal({ user_id: father, fields: ['mobile', 'id_no'], reason: '联系家长' })
    expect(answer.body.data).toMatchObject({ user_id: father, values: { mobile: expect.stringMatching(/^169\d{8}$/), id_no: expect.stringMatching(/^37020019800512\d{3}X$/) } })
    const { rows } = await inSchool(db => sql`select op_type, ok, target_name, reason, after from operation_log where school_id = 1001 and call = 'people.person.reveal' and target_id = ${father} order by happened_at`.execute(db))
    expect(rows).toMatchObject([{ ok: false }, { op_type: 13, ok: true, target_name: '何父', reason: '联系家长', after: { fields: ['mobile', 'id_no'] } }])
  })

  test('20-A28 are shown thirty times an hour, which whoever looks after the school is told once', async () => {
    const curious = await app.as({ school_id: 1001, codes })
    await inSchool(db => sql`insert into role_member (school_id, role_id, user_id, source, valid_from) select school_id, role_id, ${registrar.user_id}, 'manual', ${app.clock.now()} from role where school_id = 1001 and code = 'SYS001_SchoolAdmin'`.execute(db))
    const told_of = async () => (await inSchool(db => sql`select m.body, p.user_id::text from message m join message_person p using (school_id, message_id) where m.school_id = 1001 and m.template_code = 'people.reveal_limit'`.execute(db))).rows
    const once = () => reveal({ user_id: school.pupils[0] ?? '', fields: ['id_no'], reason: '核对' }, curious)
    for (let at = 0; at < 30; at += 1) expect((await once()).status).toBe(200)
    const refused = await once()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await told_of()).toEqual([{ body: expect.stringMatching(/^测试用户\d+在\d{4}-\d\d-\d\d \d\d:\d\d前的一小时内查看了30次/), user_id: registrar.user_id }])
    await inSchool(db => sql`update reveal_window set used_at = array(select t - interval '1 hour' from unnest(used_at) t) where school_id = 1001`.execute(db))
    expect((await once()).status).toBe(200)
  })
})
