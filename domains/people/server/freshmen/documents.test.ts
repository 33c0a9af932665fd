import { existsSync, readFileSync } from 'node:fs'
import { dataOf, sendForm, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { freshmenApi, registerPublicApi } from '@campus/people/contract'
import type { FreshmenSeason, PublicUploads, SeasonMaterial } from '@campus/people/contract'
import { drawJpeg, rewritePicture } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn } from '../testing/changer.ts'
import { delete_codes, deleter, windowNow } from '../testing/deleter.ts'
import { enroller } from '../testing/enroller.ts'

const [school_id, other_school] = [1001, 1002]
const codes = ['people.freshmen.view', 'people.freshmen.config', 'people.freshmen.review']
const [picture_kind, document_kind] = ['1', '3']
const day_ms = 86_400_000
const mebi = 1024 * 1024
let app: TestApp
let clerk: TestUser
let stranger: TestUser
let desk: ReturnType<typeof enroller>
let elsewhere: ReturnType<typeof enroller>
let picture: Buffer
let school: SmallSchool
let serial = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '1000' } })
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  stranger = await app.as({ school_id: other_school, codes })
  desk = enroller(app, school_id, () => clerk)
  elsewhere = enroller(app, other_school, () => stranger)
  picture = (await drawJpeg('<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1500"><rect width="100%" height="100%" fill="#0958d9"/></svg>')).bytes
})
afterAll(() => app.close())

const materials: SeasonMaterial[] = [{ name: '户口簿', upload: 'required' }, { name: '出生医学证明', upload: 'optional' }, { name: '房产证明', upload: 'none' }]
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const wrong = ({ body }: Answer) => Object.fromEntries((body.data && typeof body.data === 'object' && 'errors' in body.data && Array.isArray(body.data.errors) ? body.data.errors : []).map(({ field, msg }) => [field, msg]))
const pdf = (text = 'x') => Buffer.from(`%PDF-1.4\n${text}\n%%EOF\n`)
const forget = (id: number) => app.running.database.tenant<PeopleDb, unknown>(id, db => sql`delete from register_hit where school_id = ${id}`.execute(db))
const rows = <R>(query: ReturnType<typeof sql<R>>, id = school_id) => app.running.database.tenant<PeopleDb, R[]>(id, async db => (await query.execute(db)).rows)
const stateOf = async (file_key: string) => (await rows(sql<{ state: number }>`select state from file_object where school_id = ${school_id} and file_key = ${file_key}`))[0]?.state
const detail = async (id: string) => dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id }, { token: clerk.token }))

async function forms(season: FreshmenSeason, by = desk, id = school_id): Promise<PublicUploads['forms']> {
  await forget(id)
  return dataOf(registerPublicApi.upload, await app.call(registerPublicApi.upload, { key: season.register_key, ...(await by.proof()) })).forms
}

/** Sends one file as the page of a family does. */
async function send(list: PublicUploads['forms'], kind: string, name: string, body: Uint8Array): Promise<Answer & { file_key: string }> {
  const form = list.find(one => one.kind === kind)
  if (!form) throw new Error(`no form for ${kind}`)
  const answer = await sendForm(app, { ...form, accessKeyId: '', accessKeySecret: '', securityToken: '' }, { name, body })
  return { ...answer, file_key: form.dir + name }
}

async function brought(season: FreshmenSeason, body: Uint8Array = picture, by = desk, id = school_id): Promise<string> {
  serial += 1
  const is_pdf = body.subarray(0, 4).toString() === '%PDF'
  const sent = await send(await forms(season, by, id), is_pdf ? document_kind : picture_kind, `${serial}.${is_pdf ? 'pdf' : 'jpg'}`, body)
  expect(sent.status).toBe(200)
  return sent.file_key
}

describe('uploading', () => {
  test('asks for a captcha, an open season and one that wants documents; a captcha gives forms once', async () => {
    const season = await desk.opened({ materials })
    const proof = await desk.proof()
    expect(refusal(await app.call(registerPublicApi.upload, { key: season.register_key, ...proof, captcha: '0000' }))).toMatchObject([expect.any(Number), 'people.registerCaptcha', expect.any(String)])
    const used = await desk.proof()
    expect((await app.call(registerPublicApi.upload, { key: season.register_key, ...used })).status).toBe(200)
    expect(refusal(await app.call(registerPublicApi.upload, { key: season.register_key, ...used }))[1]).toBe('people.registerCaptcha')
    expect(refusal(await app.call(registerPublicApi.upload, { key: season.register_key.replace('1001-', '1002-'), ...(await desk.proof()) }))[0]).toBe(404)
    const plain = await desk.opened()
    expect(refusal(await app.call(registerPublicApi.upload, { key: plain.register_key, ...(await desk.proof()) }))).toEqual([422, 'people.noUploads', '本次报名不需要上传材料'])
    expect((await desk.turn(season, 'closed')).status).toBe(200)
    expect(refusal(await app.call(registerPublicApi.upload, { key: season.register_key, ...(await desk.proof()) }))).toEqual([409, 'people.seasonClosed', '不在报名时间内'])
  })

  test('twenty times an hour from one address, then no more', async () => {
    const season = await desk.opened({ materials })
    await forget(school_id)
    const answers = []
    for (let at = 0; at < 21; at++) answers.push(await app.call(registerPublicApi.upload, { key: season.register_key, ...(await desk.proof()) }))
    expect(answers.map(answer => answer.status)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('takes pictures and PDF of ten megabytes and nothing else, whatever a name says', async () => {
    const list = await forms(await desk.opened({ materials }))
    expect(list.map(({ kind, max_size }) => [kind, max_size])).toEqual([[picture_kind, 10 * mebi], [document_kind, 10 * mebi]])
    const bad: [string, string, Uint8Array, number][] = [
      [picture_kind, 'a.jpg', Buffer.from('MZ this is no picture at all'), 415], [picture_kind, 'b.jpg', pdf(), 415], [document_kind, 'c.pdf', picture, 415],
      [document_kind, 'd.docx', Buffer.from('PK\u0003\u0004 word'), 415], [document_kind, 'e.txt', Buffer.from('just text'), 415], [picture_kind, 'f.gif', Buffer.from('GIF89a and more'), 415],
      [picture_kind, 'g.svg', Buffer.from('<svg onload="alert(1)"/>'), 415], [picture_kind, 'h.jpg', Buffer.alloc(10 * mebi + 1), 413], [picture_kind, 'i.jpg', Buffer.alloc(0), 415],
    ]
    for (const [kind, name, body, status] of bad) expect([name, (await send(list, kind, name, body)).status]).toEqual([name, status])
    expect((await send(list, document_kind, 'good.pdf', pdf())).status).toBe(200)
    const beside = list.map(form => ({ ...form, dir: `${school_id}/1/20260101/` }))
    expect((await send(beside, picture_kind, 'x.jpg', picture)).status).toBe(403)
  })

  test('what no application names is gone after a day; while too much of it lies there nothing more is taken', async () => {
    const season = await desk.opened({ materials })
    const file_key = await brought(season)
    expect(await stateOf(file_key)).toBe(2)
    const weigh = (size: number) => rows(sql`update file_object set size = ${size} where school_id = ${school_id} and file_key = ${file_key}`)
    await weigh(4097 * mebi)
    await forget(school_id)
    expect(refusal(await app.call(registerPublicApi.upload, { key: season.register_key, ...(await desk.proof()) }))).toEqual([503, 'files.visitorsFull', '上传的人较多，请稍后再试'])
    await weigh(100)
    app.clock.advance(day_ms + 1000)
    await expect.poll(() => stateOf(file_key), { timeout: 20_000 }).toBe(6)
    clerk = await app.as({ school_id, codes })
    stranger = await app.as({ school_id: other_school, codes })
  })
})

describe('applying with documents', () => {
  test('a document that must be there is asked for by its name; what is not asked for is refused', async () => {
    const season = await desk.opened({ materials })
    expect(wrong(await desk.submit(season))).toEqual({ 'material.户口簿': '请上传户口簿' })
    const file_key = await brought(season)
    const files = [{ material: '户口簿', file_key }]
    expect(wrong(await desk.submit(season, desk.child(), undefined, [...files, { material: '房产证明', file_key }]))).toEqual({ 'material.房产证明': '不需要上传房产证明' })
    expect(wrong(await desk.submit(season, desk.child(), undefined, Array.from({ length: 4 }, () => ({ material: '户口簿', file_key }))))).toEqual({ 'material.户口簿': '户口簿最多上传3个文件' })
    expect((await desk.submit(season, desk.child(), undefined, files)).status).toBe(200)
    expect(refusal(await desk.submit(season, desk.child(), undefined, files))).toEqual([409, 'people.materialUsed', '上传的材料已用于另一份报名，请重新上传'])
    expect(await desk.page(season.id)).toHaveLength(1)
  })

  test('a broken picture, a file of another school and one that is nowhere are refused, and nothing is kept', async () => {
    const season = await desk.opened({ materials })
    const theirs = await brought(await elsewhere.opened({ materials }), picture, elsewhere, other_school)
    const broken = await brought(season, picture.subarray(0, 900))
    for (const [file_key, status] of [[theirs, 404], [`${school_id}/0/20260101/none-1.jpg`, 404], [broken, 415]] as const) {
      expect((await desk.submit(season, desk.child(), undefined, [{ material: '户口簿', file_key }])).status).toBe(status)
    }
    expect(await desk.page(season.id)).toEqual([])
  })

  test('the reviewer alone sees them, small enough to be looked at, by addresses that are his for five minutes; families and other schools do not', async () => {
    const season = await desk.opened({ materials })
    const files = [{ material: '户口簿', file_key: await brought(season) }, { material: '出生医学证明', file_key: await brought(season, pdf()) }]
    const { apply_no } = dataOf(registerPublicApi.act, await desk.submit(season, desk.child(), undefined, files))
    const [row] = await desk.page(season.id, { keyword: apply_no })
    const { documents } = await detail(row?.id ?? '')
    expect(documents.map(({ material, mime }) => [material, mime])).toEqual([['户口簿', 'image/jpeg'], ['出生医学证明', 'application/pdf']])
    const [paper, other] = documents
    const shown = await fetch(app.url + (paper?.url ?? ''))
    expect(await rewritePicture(Buffer.from(await shown.arrayBuffer()))).toMatchObject({ mime: 'image/jpeg', width: 2400, height: 1200 })
    expect(await (await fetch(app.url + (other?.url ?? ''))).text()).toBe(pdf().toString())
    expect((await fetch(`${app.url}/material/f/${paper?.file_key ?? ''}`, { headers: { authorization: clerk.token } })).status).toBe(404)
    expect((await fetch(app.url + (paper?.url ?? '').replace(/s=.*/, 's=x'))).status).toBe(404)
    expect(JSON.stringify(dataOf(registerPublicApi.look, await app.call(registerPublicApi.look, { key: season.register_key })))).not.toContain(paper?.file_key)
    expect((await app.call(freshmenApi.detail, { id: row?.id ?? '' }, { token: stranger.token })).status).toBe(404)
    app.clock.advance(301_000)
    expect((await fetch(app.url + (paper?.url ?? ''))).status).toBe(404)
  })

  test('they lie encrypted; a correction keeps what is not brought anew, a family that gives up takes all with it', async () => {
    const season = await desk.opened({ materials })
    const [book, birth] = [await brought(season, pdf('household')), await brought(season, pdf('born'))]
    const [values, mobile] = [desk.child(), '16937770001']
    await desk.submit(season, values, mobile, [{ material: '户口簿', file_key: book }, { material: '出生医学证明', file_key: birth }])
    expect(readFileSync(app.running.app.files.pathOf(book)).includes('household')).toBe(false)
    const [row] = await desk.page(season.id)
    await desk.refuse([row?.id ?? ''])
    expect((await desk.submit(season, values, mobile)).status).toBe(200)
    expect((await detail(row?.id ?? '')).documents.map(one => one.file_key)).toEqual([book, birth])
    await desk.refuse([row?.id ?? ''])
    const anew = await brought(season, pdf('newer'))
    expect((await desk.submit(season, values, mobile, [{ material: '户口簿', file_key: anew }])).status).toBe(200)
    expect((await detail(row?.id ?? '')).documents.map(one => one.file_key)).toEqual([birth, anew])
    await expect.poll(() => stateOf(book), { timeout: 20_000 }).toBe(6)
    expect((await desk.giveUp([row?.id ?? ''])).status).toBe(200)
    await expect.poll(async () => [await stateOf(birth), await stateOf(anew)], { timeout: 20_000 }).toEqual([6, 6])
    expect((await detail(row?.id ?? '')).documents).toEqual([])
  })
  test('when a season ends, the documents of all who did not arrive go, and of those who did stay', async () => {
    const season = await desk.opened({ materials })
    const [came, stayed] = [await brought(season, pdf('came')), await brought(season, pdf('stayed'))]
    for (const file_key of [came, stayed]) expect((await desk.submit(season, desk.child(), undefined, [{ material: '户口簿', file_key }])).status).toBe(200)
    await app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
      await sql`update freshmen_apply a set state = '6' from freshmen_file f where f.school_id = a.school_id and f.apply_id = a.id and a.school_id = ${school_id} and f.file_key = ${came}`.execute(db)
      await sql`update freshmen_season set state = 'placed' where school_id = ${school_id} and id = ${season.id}`.execute(db)
    })
    expect((await desk.turn(season, 'finished')).status).toBe(200)
    await expect.poll(async () => [await stateOf(stayed), await stateOf(came)], { timeout: 20_000 }).toEqual([6, 3])
    expect(await rows(sql<{ file_key: string }>`select file_key from freshmen_file where school_id = ${school_id} and file_key in (${came}, ${stayed})`)).toEqual([{ file_key: came }])
  })

  test('whoever is deleted leaves no document behind: each has its proof, and the store has taken the bytes away', async () => {
    const season = await desk.opened({ materials })
    const keys = [await brought(season, pdf('household')), await brought(season)]
    const { apply_no } = dataOf(registerPublicApi.act, await desk.submit(season, desk.child(), undefined, keys.map(file_key => ({ material: '户口簿', file_key }))))
    const admin = await app.as({ school_id, codes: [...delete_codes, 'people.change.run', 'people.change.view', 'people.student.view', 'people.student.edit'] })
    const own = deleter(app, admin)
    const [user_id = ''] = await pupilsIn(app, school_id, school.class_1, ['FD1'])
    await app.running.database.tenant<PeopleDb, unknown>(school_id, db => sql`update freshmen_apply set user_id = ${user_id}, state = '6' where school_id = ${school_id} and apply_no = ${apply_no}`.execute(db))
    await changer(app, admin).give({ kind: 'OUT', subjects: [{ user_id }], effective_on: dayOf(app), reason: '迁居', to_where: '市第二小学' })
    await own.configure({ hold_days: 0, window: windowNow(app) })
    const batch_no = await own.listed([user_id])
    await expect.poll(() => own.states(batch_no), { timeout: 20_000 }).toEqual(['deleted'])
    const proof = await own.proofOf(batch_no, user_id)
    expect(proof.stores.filter(store => store.store.includes('material')).map(store => [store.store, store.title, store.state])).toEqual([
      ['object:embedded:material-1', '报名材料 户口簿', 'acked'], ['object:embedded:material-2', '报名材料 户口簿', 'acked'],
    ])
    expect(await desk.page(season.id)).toEqual([])
    expect(keys.some(key => existsSync(app.running.app.files.pathOf(key)))).toBe(false)
  })
})
