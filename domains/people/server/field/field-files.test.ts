import { dataOf, startTestApp, upload } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { collectTaskApi, fieldApi, personApi, staffFileApi, studentFileApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool } from '../testing/changer.ts'
import { delete_codes, deleter, windowNow } from '../testing/deleter.ts'
import { importer } from '../testing/importer.ts'

type FieldInput = Request<typeof fieldApi.save>['list'][number]

const school_id = 1001
const codes = [...delete_codes, 'files.file.upload', 'people.field.edit', 'people.student.view', 'people.student.edit', 'people.student.import', 'people.staff.view', 'people.staff.edit', 'people.collect.edit', 'people.change.run', 'people.change.view', 'people.archive.view']
const [picture_kind, document_kind] = ['1', '3'] as const
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let other: TestUser
let picture: Buffer
let serial = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  other = await app.as({ school_id, codes })
  picture = (await drawJpeg('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="100%" height="100%" fill="#0958d9"/></svg>')).bytes
  await define(1, [{ field_code: 'certificate', label: '残疾证', type: 'file', in_index: true }, { field_code: 'note', label: '备注二', type: 'text', max_len: 500 }])
  await define(2, [{ field_code: 'diploma', label: '学历证书', type: 'file' }])
})
afterAll(() => app.close())

const define = (field_scene: number, list: FieldInput[]) => app.call(fieldApi.save, { field_scene, list }, { token: clerk.token })
const file = async (id: string) => dataOf(personApi.detail, await app.call(personApi.detail, { id }, { token: clerk.token }))
const certificate = async (id: string) => (await file(id)).custom.find(field => field.field_code === 'certificate')
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const stateOf = (file_key: string) => app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
  const { rows } = await sql<{ state: number; unused: boolean }>`select state, unused_since is not null as unused from file_object where school_id = ${school_id} and file_key = ${file_key}`.execute(db)
  return rows[0]
})
const used = { state: 3, unused: false }
const left = { state: 3, unused: true }

async function bring(by = clerk, body: Uint8Array = picture): Promise<string> {
  serial += 1
  const is_pdf = body.subarray(0, 4).toString() === '%PDF'
  return upload(app, by, { purpose: 'person_file', kind: is_pdf ? document_kind : picture_kind, name: `${serial}.${is_pdf ? 'pdf' : 'jpg'}`, body })
}
async function fill(user_id: string, ext: Record<string, string | null>, by = clerk): Promise<Answer> {
  const { row_version } = await file(user_id)
  return app.call(studentFileApi.update, { user_id, row_version, ext }, { token: by.token })
}

test('a document stands in the file under its name, opens for its reader alone, and one that replaces it lets it go', async () => {
  const [id = ''] = school.pupils
  const first = await bring()
  expect((await fill(id, { certificate: `${first} 1234 残疾证 正面.jpg` })).status).toBe(200)
  const field = await certificate(id)
  expect(field?.value).toBe(`${first} 1234 残疾证 正面.jpg`)
  const url = field?.url ?? ''
  const answer = await fetch(`${app.url}${url}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect((await fetch(`${app.url}${url.replace(/u=[0-9]+/, `u=${other.user_id}`)}`)).status).toBe(404)
  expect((await fetch(`${app.url}/material/f/${first}`)).status).not.toBe(200)
  const second = await bring(clerk, Buffer.from('%PDF-1.4\nx\n%%EOF\n'))
  expect((await fill(id, { certificate: `${second} 17 新证.pdf` })).status).toBe(200)
  expect([await stateOf(first), await stateOf(second)]).toEqual([left, used])
  expect((await fill(id, { certificate: null })).status).toBe(200)
  expect([await stateOf(second), (await certificate(id))?.value ?? null]).toEqual([left, null])
})

test('what stands there is sent back untouched by somebody else; a key of another person, of another pupil or of no file is refused', async () => {
  const [id = '', brother = ''] = school.pupils
  const file_key = await bring()
  const value = `${file_key} 99 证.jpg`
  expect(refusal(await fill(id, { certificate: value }, other))).toEqual([404, 'files.missing'])
  expect((await fill(id, { certificate: value })).status).toBe(200)
  expect((await fill(id, { certificate: value, note: '已核对' }, other)).status).toBe(200)
  expect(refusal(await fill(brother, { certificate: value }))).toEqual([404, 'files.missing'])
  expect((await fill(brother, { certificate: '没有上传' })).body.data).toEqual({ errors: [{ field: 'ext.certificate', msg: '附件没有上传成功，请重新上传' }] })
  const photo = await upload(app, clerk, { purpose: 'id_photo', name: 'other-purpose.jpg', body: picture })
  expect(refusal(await fill(brother, { certificate: `${photo} 1 a.jpg` }))).toEqual([404, 'files.missing'])
  expect((await certificate(brother))?.value ?? null).toBeNull()
})

test('bytes that are no picture after all are refused before anything is written', async () => {
  const [, id = ''] = school.pupils
  const broken = await bring(clerk, picture.subarray(0, 200))
  expect(refusal(await fill(id, { certificate: `${broken} 200 坏图.jpg` }))).toEqual([415, 'files.noPicture'])
  expect((await certificate(id))?.value ?? null).toBeNull()
})

test('sheets and collection tasks have no column of it, and it cannot be made sensitive', async () => {
  const by = importer(app, clerk)
  const batch = await by.upload('student', await by.sheet('student', [{ student_no: '20260101', 'ext.note': '另有说明' }], [{ prop: 'ext.note', label: '备注二' }]))
  expect((await by.rows(batch.batch_no)).map(row => row.verdict)).toEqual(['change'])
  expect((await by.one(batch.batch_no)).columns.map(column => column.label)).not.toContain('残疾证')
  const { list } = dataOf(collectTaskApi.fields, await app.call(collectTaskApi.fields, { field_scene: 1 }, { token: clerk.token }))
  expect(list.map(one => one.field_code)).toContain('ext.note')
  expect(list.map(one => one.field_code)).not.toContain('ext.certificate')
  expect((await define(2, [{ field_code: 'other', label: '另一份', type: 'file', level: 3 }])).status).toBe(400)
})

test('staff have such fields too', async () => {
  const [user_id = ''] = school.teachers
  const { row_version } = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
  const file_key = await bring()
  expect((await app.call(staffFileApi.update, { user_id, row_version, ext: { diploma: `${file_key} 12 毕业证.jpg` } }, { token: clerk.token })).status).toBe(200)
  const { custom } = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
  expect(custom.map(field => [field.value, field.url !== null])).toEqual([[`${file_key} 12 毕业证.jpg`, true]])
})

test('a deletion takes the document along and proves it; a text that names the key of somebody else’s leaves that one alone', async () => {
  const [id = '', , leaver = ''] = school.pupils
  const kept = await bring()
  const gone = await bring()
  expect((await fill(id, { certificate: `${kept} 5 留.jpg` })).status).toBe(200)
  expect((await fill(leaver, { certificate: `${gone} 5 走.jpg`, note: `${kept} 5 留.jpg` })).status).toBe(200)
  await changer(app, clerk).give({ kind: 'OUT', subjects: [{ user_id: leaver }], effective_on: dayOf(app), reason: '迁居', to_where: '市第二小学' })
  const own = deleter(app, clerk)
  await own.configure({ hold_days: 0, window: windowNow(app) })
  const batch_no = await own.listed([leaver])
  await expect.poll(() => own.states(batch_no), { timeout: 15_000 }).toEqual(['deleted'])
  const { stores } = await own.proofOf(batch_no, leaver)
  expect(stores.map(store => [store.store, store.title, store.state])).toContainEqual(['object:embedded:field-1', '档案附件', 'acked'])
  expect([await stateOf(kept), (await stateOf(gone))]).toEqual([used, expect.not.objectContaining({ state: 3 })])
})
