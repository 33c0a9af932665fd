import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { archive, writeOperation } from '@campus/audit/server'
import { ensureUsers } from '@campus/identity/server'
import { keepMade } from '@campus/files/server'
import { personApi } from '@campus/people/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { describeCatalogue, openDatabase } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonymiseBackup, unknownColumns } from '../anonymise/anonymise.ts'
import { anonymise } from '../cli/anonymise.ts'
import { writeBackup } from '../backup/backup.ts'
import { restoreBackup } from '../backup/restore.ts'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'
import { exportSubject } from './export-subject.ts'

const school_id = test_schools.a
/** What must not be found in a harmless copy. */
const canary = { user_name: '金丝雀', mobile: '13712345678', id_no: '370200202005120019', address: '金丝雀路一号', email: 'canary@canary.test', student_no: 'CANARY2026', remark: '金丝雀备注' }

/** A picture of one point. */
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** A backup, its copy and a restore. */
const patience_ms = 120_000
let app: TestApp
let root: string
let user_id: string
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  root = await mkdtemp(join(tmpdir(), 'campus-copies-'))
  const { database, app: product } = app.running
  await database.tenant<unknown, void>(school_id, async db => {
    const depts = await createDepts(db.withTables(), school_id, [{ key: 'class', parent: null, dept_name: '1班', dept_type: 4, class_no: 1, tree: 'student', stage: '1', grade: '11', enrol_year: 2026 }], '2026-09-01')
    const pupil = (at: number) => ({ user_name: `学生${at}`, student_no: `S${at}`, enrol_month: '202609', from: '2026-09-01', dept_id: depts.get('class') ?? '' })
    await enrolStudents(db.withTables(), product.secrets, school_id, [{ ...pupil(0), user_name: canary.user_name, student_no: canary.student_no, id_type: '1', id_no: canary.id_no }, ...Array.from({ length: 30 }, (_, at) => pupil(at + 1))])
    const { rows } = await sql<{ user_id: string }>`
      update person set mobile = ${canary.mobile}, address = ${canary.address}, home_address = ${canary.address}, email = ${canary.email}, tel = ${canary.mobile} where school_id = ${school_id} and user_name = ${canary.user_name} returning user_id`.execute(db)
    user_id = rows[0]?.user_id ?? ''
    await sql`update student set remark = ${canary.remark}, former_name = ${canary.user_name} where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
  })
  admin = await app.as({ school_id, codes: ['people.student.view', 'people.person.reveal', 'people.student.reveal'].filter(code => product.codes.has(code)) })
  await app.call(personApi.reveal, { user_id, fields: ['id_no'], reason: '核对' }, { token: admin.token })
})
afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true, force: true })
})

describe('anonymise', () => {
  test('every column of text in what a copy keeps is known to be harmless, or has a rule', async () => {
    const tables = await app.running.database.tenant(0, db => describeCatalogue(db), { read_only: true })
    expect(unknownColumns(tables)).toEqual([])
  })

  test('refuses to work without being told where to', async () => {
    await expect(anonymise([root], {})).rejects.toThrow('usage: anonymise <backup> --target <new folder>')
    await expect(anonymiseBackup(join(root, 'none'), root)).rejects.toThrow(`${root} is there already`)
  })

  test('a copy holds as many people under invented names, and nothing of the real ones; the source is untouched', async () => {
    const [source, target] = [join(root, 'real'), join(root, 'harmless')]
    await writeBackup(app.running.database, join(root, 'nowhere'), source)
    await anonymiseBackup(source, target)
    expect((await readdir(root)).filter(name => name.startsWith('harmless'))).toEqual(['harmless'])
    const texts = await Promise.all((await readdir(target)).filter(name => name.endsWith('.gz')).map(async name => gunzipSync(await readFile(join(target, name))).toString()))
    const all = texts.join('\n')
    for (const text of Object.values(canary)) expect(all).not.toContain(text)
    for (const secret of ['argon2', '学生1', '测试用户', '测试一校']) expect(all).not.toContain(secret)
    const copy = await openDatabase({ data_dir: 'memory://' })
    try {
      await restoreBackup(copy, null, target)
      const people = (database: typeof copy) => database.tenant(school_id, db => sql<{ n: number; names: number; mobile: string | null }>`
        select count(*)::int as n, count(distinct user_name)::int as names, max(mobile) as mobile from person where school_id = ${school_id}`.execute(db)).then(({ rows }) => rows[0])
      expect(await people(copy)).toMatchObject({ n: 31, mobile: expect.stringMatching(/^199\d{8}$/) })
      expect((await people(copy))?.names).toBeGreaterThan(20)
      expect((await people(app.running.database))?.mobile).toBe(canary.mobile)
      const { rows } = await copy.tenant(school_id, db => sql`select p.user_name = u.user_name as same, p.id_no_enc is null as bare from person p join school_user u on u.school_id = p.school_id and u.user_id = p.user_id where p.school_id = ${school_id} group by 1, 2`.execute(db))
      expect(rows).toEqual([{ same: true, bare: true }])
    } finally {
      await copy.close()
    }
  }, patience_ms)
})

describe('export-subject', () => {
  const journal = async () => {
    const { rows } = await app.running.database.tenant(school_id, db => sql`
      select o.user_name, o.op_type, o.target_id, o.reason, (select count(*)::int from archive_log a where a.school_id = ${school_id} and a.request_id = o.request_id and a.person_id::text = ${user_id}) as archived
      from operation_log o where o.school_id = ${school_id} and o.call = 'people.person.export'`.execute(db))
    return rows
  }

  test('writes what is held about one person, readable and for machines, and nothing of anybody else; both journals tell it', async () => {
    const folder = join(root, 'subject')
    const told = await exportSubject(app.running, { school_id, person: canary.student_no, reason: '本人11月20日书面申请' }, folder)
    expect(told.subject).toMatchObject({ user_id, user_name: canary.user_name })
    const data: { tables: { table: string; rows: Record<string, unknown>[] }[] } = JSON.parse(await readFile(join(folder, 'data.json'), 'utf8'))
    const of = (name: string) => data.tables.find(({ table }) => table === name)?.rows ?? []
    expect(of('person')).toMatchObject([{ mobile: canary.mobile, id_no: canary.id_no, address: canary.address }])
    expect(of('student')).toMatchObject([{ student_no: canary.student_no, remark: canary.remark }])
    expect([of('student_span').length, of('dept_member').length, of('account').length]).toEqual([1, 1, 1])
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    for (const words of [...Object.values(canary), '学生档案', '个人信息', '本人11月20日书面申请']) expect(page).toContain(words)
    const all = page + JSON.stringify(data)
    expect(all).not.toMatch(/学生\d|password|argon2|_hash|<script/)
    expect(await journal()).toEqual([{ user_name: '运维命令行', op_type: 7, target_id: user_id, reason: '本人11月20日书面申请', archived: 1 }])
  })

  describe('of somebody who works for the school', () => {
    const folder = () => join(root, 'staff')
    const keys = { face: `${school_id}/face/20261120/1.png`, avatar: `${school_id}/avatar/20261120/1.png`, others: `${school_id}/avatar/20261120/2.png` }
    const colleague = { user_no: 'T777', user_name: '同事甲' }
    let page = ''
    let data: { tables: { table: string; rows: Record<string, unknown>[] }[] } = { tables: [] }
    const of = (name: string) => data.tables.find(({ table }) => table === name)?.rows ?? []

    beforeAll(async () => {
      const { database, app: product } = app.running
      const now = app.clock.now()
      const desk: Parameters<typeof keepMade>[0] = { app: product, now, own: (id, fn) => database.tenant(id, fn) }
      const staff_id = await database.tenant<unknown, string>(school_id, async db => (await ensureUsers(db, school_id, [{ user_no: 'T001', user_name: '李老师', user_kind: 2 }]))[0] ?? '')
      const line = { request: { request_id: 'c0ffee00-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.9.8.7', device_label: '同事的电脑', client: 'web' }, ok: true, code: 600, msg: '操作成功', duration_ms: 1, happened_at: now } as const
      const own = { ...line.request, device_label: '自己的电脑' }
      const by_him = { request: own, user_id: staff_id, user_no: 'T001', user_name: '李老师' }
      await database.tenant<unknown, void>(school_id, async db => {
        await writeOperation(db, school_id, { ...line, ...by_him, op_type: 1, call: 'identity.login.check' })
        await writeOperation(db, school_id, { ...line, ...by_him, op_type: 4, call: 'people.student.update', target_kind: 'people.student', target_id: user_id, target_name: canary.user_name })
        await writeOperation(db, school_id, { ...line, ...by_him, op_type: 4, call: 'people.dept.update', target_kind: 'people.dept', target_id: staff_id, target_name: '一年级1班' })
        await writeOperation(db, school_id, { ...line, ...colleague, op_type: 4, call: 'people.person.update', target_kind: 'people.person', target_id: staff_id, target_name: '李老师' })
        await archive(db, { school_id, at: now, user_id: staff_id, user_no: 'T001', user_name: '李老师' }, [{ person_kind: 1, person_id: user_id, person_name: canary.user_name, op_type: 4, source: 'typed' }])
        await archive(db, { school_id, at: now, ...colleague }, [{ person_kind: 2, person_id: staff_id, person_name: '李老师', op_type: 4, source: 'typed' }])
      })
      for (const [name, ref_id] of [['face', staff_id], ['avatar', staff_id], ['others', user_id]] as const) {
        const enter = await keepMade(desk, school_id, staff_id, { file_key: keys[name], purpose: name === 'face' ? 'face' : 'avatar', bytes: picture })
        await database.tenant<unknown, void>(school_id, async db => void (await enter({ app: product, db, school_id, now }, { ref_kind: 'people.person', ref_id })))
      }
      await exportSubject(app.running, { school_id, person: 'T001', reason: '本人申请' }, folder())
      page = await readFile(join(folder(), 'index.html'), 'utf8')
      data = JSON.parse(await readFile(join(folder(), 'data.json'), 'utf8'))
    })

    test('his own sign-ins and what was done about him are there, nothing that he did about others', () => {
      expect(of('operation_log').map(row => row.call).toSorted()).toEqual(['identity.login.check', 'people.person.update'])
      expect(of('archive_log').map(row => row.person_name)).toEqual(['李老师'])
      expect(page + JSON.stringify(data)).not.toMatch(new RegExp(`${canary.user_name}|一年级1班`))
    })

    test('who else had to do with him is not told', () => {
      expect(of('operation_log').find(row => row.call === 'people.person.update')).not.toHaveProperty('ip')
      expect(page + JSON.stringify(data)).not.toMatch(/T777|同事甲|同事的电脑/)
    })

    test('his files are there as anybody can open them, each under its whole key; files of others that he put there are not', async () => {
      const names = [keys.avatar, keys.face].map(key => key.replaceAll('/', '-'))
      expect((await readdir(join(folder(), 'files'))).toSorted()).toEqual(names)
      for (const name of names) expect(await readFile(join(folder(), 'files', name))).toEqual(picture)
      expect(await readFile(app.running.app.files.pathOf(keys.face))).not.toEqual(picture)
      expect(of('file_object').map(row => row.file_key)).toEqual([keys.avatar, keys.face])
    })

    test('that an encrypted file was opened stands in the log, of a plain one nothing does', async () => {
      const { rows } = await app.running.database.tenant(school_id, db => sql`select target_id, op_type, reason from operation_log where school_id = ${school_id} and call = 'files.file.view'`.execute(db))
      expect(rows).toEqual([{ target_id: keys.face, op_type: 13, reason: '本人申请' }])
    })
  })

  test('an unknown person or a folder that is there: nothing is written, in no journal', async () => {
    await expect(exportSubject(app.running, { school_id, person: 'nobody', reason: '申请' }, join(root, 'other'))).rejects.toThrow(`school ${school_id} has nobody with the number nobody`)
    await expect(exportSubject(app.running, { school_id: test_schools.b, person: user_id, reason: '申请' }, join(root, 'other'))).rejects.toThrow('has nobody')
    await expect(exportSubject(app.running, { school_id, person: user_id, reason: '申请' }, join(root, 'subject'))).rejects.toThrow('is there already')
    expect(await journal()).toHaveLength(2)
  })
})
