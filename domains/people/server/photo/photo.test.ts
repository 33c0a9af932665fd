import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi, jobApi } from '@campus/jobs/contract'
import { photoApi, staffApi, studentApi } from '@campus/people/contract'
import { drawJpeg, rewritePicture } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'
import { contents, importer } from '../testing/importer.ts'
import { zipOf } from '../testing/zip.ts'
import type { ZipFile } from '../testing/zip.ts'

const school_id = 1001
const codes = ['people.student.view', 'people.student.import', 'people.staff.view', 'people.staff.import']
/** `一年级1班_王子轩.jpg` and `一年级2班_单小明.jpg` as Windows in China writes them. */
const gbk_class_1 = Buffer.from('d2bbc4eabcb631b0e05fcdf5d7d3d0f92e6a7067', 'hex')
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

const picture = async (color = '#446688', width = 900, height = 1600) => (await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${color}"/></svg>`)).bytes

async function unpacked(files: readonly ZipFile[], call: typeof photoApi.student | typeof photoApi.teacher = photoApi.student, who = clerk) {
  const answer = await app.call(call, {}, { token: who.token, file: { name: '照片.zip', body: new Uint8Array(zipOf(files)) } })
  const { job_no } = dataOf(call, answer)
  for (;;) {
    const job = dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: who.token }))
    if (job.state !== 'queued' && job.state !== 'running') return job
    await new Promise(done => setImmediate(done))
  }
}
async function dryRun(files: readonly ZipFile[], template: 'student_photo' | 'teacher_photo' = 'student_photo') {
  const job = await unpacked(files, template === 'student_photo' ? photoApi.student : photoApi.teacher)
  expect([job.state, job.error_msg]).toEqual(['succeeded', null])
  const { list } = dataOf(importApi.batches, await app.call(importApi.batches, { template, mine: '1' }, { token: clerk.token }))
  const batch = await by.settled(list[0]?.batch_no ?? '')
  return { batch, rows: await by.rows(batch.batch_no) }
}
const pupil = async (keyword: string) => dataOf(studentApi.list, await app.call(studentApi.list, { keyword }, { token: clerk.token })).list[0]
const looked = (url: string | null | undefined) => fetch(new URL(url ?? '/none', app.url))

test('pictures of an archive are found by number, document, and class and name in GBK; they are resized, shown, replaced, and taken back', async () => {
  const bytes = await picture()
  const { batch, rows } = await dryRun([
    { name: '照片/20260101.jpg', bytes },
    { name: gbk_class_1, bytes, utf8: false, deflate: true },
    { name: '370200202005120035.JPG', bytes },
    { name: '999999.jpg', bytes },
    { name: '20260102.jpg', bytes: Buffer.from('no picture at all') },
    { name: '__MACOSX/._20260101.jpg', bytes },
  ])
  expect([batch.rows_total, batch.rows_new, batch.rows_error]).toEqual([5, 3, 2])
  expect(rows.map(row => [row.cells.who, row.errors.map(issue => issue.msg)])).toEqual([
    ['20260101', []], ['一年级1班_王子轩', []], ['370200202005120035', []], ['999999', ['人员不存在']], ['20260102', ['图片上传失败，请检查图片是否正常']],
  ])
  const before = await contents(app.running.database, school_id)
  for (const row of rows.slice(3)) await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: row.row_no, skip: true }, { token: clerk.token })
  expect(await by.apply(batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: 3, rows_recheck: 0 })
  const shown = await pupil('20260101')
  const answer = await looked(shown?.photo_url)
  expect(answer.status).toBe(200)
  const whole = await looked(shown?.photo_url?.split('&x-oss')[0])
  expect(await rewritePicture(Buffer.from(await whole.arrayBuffer()))).toMatchObject({ width: 720, height: 1280, mime: 'image/jpeg' })

  const next = await dryRun([{ name: '20260101.jpeg', bytes: await picture('#aa2211') }])
  expect(next.rows[0]?.diff).toEqual([{ prop: 'photo', label: '照片编号', before: '已有照片', after: '新照片：王子涵' }])
  await by.apply(next.batch.batch_no)
  const replaced = await pupil('20260101')
  expect(replaced?.photo_url?.split('?')[0]).not.toBe(shown?.photo_url?.split('?')[0])
  const keyOf = (url: string | null | undefined) => url?.split('?')[0]?.replace('/material/f/', '') ?? ''
  const usersOf = async (url: string | null | undefined) => (await app.running.database.tenant<unknown, { rows: { ref_kind: string }[] }>(school_id, db => sql<{ ref_kind: string }>`select ref_kind from file_ref where school_id = ${school_id} and file_key = ${keyOf(url)} order by 1`.execute(db))).rows.map(row => row.ref_kind)
  expect([await usersOf(shown?.photo_url), await usersOf(replaced?.photo_url)]).toEqual([['people.photo_before', 'people.photo_brought'], ['people.photo', 'people.photo_brought']])
  expect((await by.undo(batch.batch_no)).batch.rows_blocked).toBe(1)
  expect((await by.undo(next.batch.batch_no)).batch).toMatchObject({ state: 'undone', rows_undone: 1 })
  expect((await pupil('20260101'))?.photo_url?.split('?')[0]).toBe(shown?.photo_url?.split('?')[0])
  expect([await usersOf(shown?.photo_url), await usersOf(replaced?.photo_url)]).toEqual([['people.photo', 'people.photo_brought'], ['people.photo_brought']])
  expect((await looked((await pupil('20260101'))?.photo_url)).status).toBe(200)
  expect((await by.undo(batch.batch_no)).batch).toMatchObject({ state: 'undone' })
  expect((await pupil('20260101'))?.photo_url).toBeNull()
  const people = (lines: string[]) => lines.filter(line => !line.startsWith('file_') && !line.startsWith('work '))
  expect(people(await contents(app.running.database, school_id))).toEqual(people(before))
}, 60_000)

test('a member of staff gets his picture by number, and keeps it when he is renamed by a sheet', async () => {
  const { batch } = await dryRun([{ name: 'T2.jpg', bytes: await picture() }], 'teacher_photo')
  expect(await by.apply(batch.batch_no)).toMatchObject({ rows_applied: 1 })
  await by.apply((await by.dryRun('teacher', [{ teacher_no: 'T2', user_name: '周明明' }])).batch_no)
  const { list } = dataOf(staffApi.list, await app.call(staffApi.list, { keyword: '周明明' }, { token: clerk.token }))
  expect(list[0]?.photo_url).toContain('/material/f/1001/')
})

test.each<[string, ZipFile[], string]>([
  ['a name that leaves its folder', [{ name: '../20260101.jpg', bytes: Buffer.from('x') }], '压缩包中有不安全的文件路径，请把照片放在一个文件夹中重新打包'],
  ['a name from the root', [{ name: 'C:\\a\\20260101.jpg', bytes: Buffer.from('x') }], '压缩包中有不安全的文件路径，请把照片放在一个文件夹中重新打包'],
  ['a bomb', [{ name: '1.jpg', bytes: Buffer.alloc(12_000_000), deflate: true }], '压缩包内容过大或过多，请分批打包（每包最多10000个文件）'],
  ['nothing', [], '压缩包中没有照片'],
])('an archive with %s is refused with what to do', async (_what, files, msg) => {
  const job = await unpacked(files)
  expect([job.state, job.error_msg]).toEqual(['failed', msg])
})

test('a size that is a lie makes no picture', async () => {
  const { rows } = await dryRun([{ name: '20260101.jpg', bytes: await picture(), claims: 10 }])
  expect(rows[0]?.errors.map(issue => issue.msg)).toEqual(['图片上传失败，请检查图片是否正常'])
})

test('20-A35 pupils beyond the scope are not found; a picture that somebody else has brought cannot be given', async () => {
  const { rows } = await dryRun([{ name: '20260201.jpg', bytes: await picture() }])
  const key = rows[0]?.cells.photo ?? ''
  const other = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
  const batch = await importer(app, other).upload('student_photo', await importer(app, other).sheet('student_photo', [{ file: 'a.jpg', who: '20260101', photo: key }]))
  expect((await importer(app, other).rows(batch.batch_no))[0]?.errors.map(issue => issue.msg)).toEqual(['人员不存在', '图片上传失败，请检查图片是否正常'])
})

test('a picture is found by the number beside a name or a copy mark, names of one archive are of one encoding, and a foreign format is named', async () => {
  const bytes = await picture('#224466')
  const gbk = (hex: string) => Buffer.from(hex, 'hex')
  const { rows } = await dryRun([
    { name: '20260101_王子涵.jpg', bytes },
    { name: '20260102(1).jpg', bytes },
    { name: '20260201_李四.jpg', bytes },
    // 联通 in GBK, which passes for UTF-8, beside a name that does not.
    { name: gbk('c1aacda82e6a7067'), bytes, utf8: false },
    { name: gbk_class_1, bytes, utf8: false },
    { name: '999999.jpg', bytes: Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic') },
  ])
  expect(rows.map(row => [row.cells.who, row.errors.map(issue => issue.msg)])).toEqual([
    ['20260101_王子涵', []], ['20260102(1)', []], ['20260201_李四', ['文件名中的姓名与该学号的人员不符，请核对']], ['联通', ['人员不存在']], ['一年级1班_王子轩', []],
    ['999999', ['不支持HEIC格式，请转换为JPG或PNG后重新上传', '人员不存在']],
  ])
})
