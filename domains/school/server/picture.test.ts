import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { pictureApi, schoolApi, schoolInfoApi } from '@campus/school/contract'
import type { PictureKind } from '@campus/school/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: ['school.info.view', 'school.info.edit', 'files.file.upload'] })
})
afterAll(() => app.close())

const drawn = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: { r: 9, g: 88, b: 217, alpha: 0.5 } } })

async function save(kind: PictureKind, name: string, body: Uint8Array) {
  const file_key = await upload(app, admin, { purpose: 'logo', name, body })
  return app.call(pictureApi.save, { kind, file_key }, { token: admin.token })
}

async function download(address: string | null) {
  const answer = await fetch(`${app.url}${address ?? ''}`)
  return { status: answer.status, type: answer.headers.get('content-type'), body: Buffer.from(await answer.arrayBuffer()) }
}

async function face() {
  return dataOf(schoolApi.face, await app.call(schoolApi.face, { id: school_id }))
}

test('a logo is fitted, keeps its transparency and is seen by everybody', async () => {
  const answer = dataOf(pictureApi.save, await save('logo', 'mark.PNG', await drawn(2000, 1000).png().toBuffer()))
  expect((await face()).school_logo_url).toBe(answer.school_logo_url)
  const shown = await download(answer.school_logo_url)
  expect([shown.status, shown.type]).toEqual([200, 'image/png'])
  expect(await sharp(shown.body).metadata()).toMatchObject({ width: 512, height: 256, hasAlpha: true })
})

test('a login picture is turned upright, loses what the camera wrote into it and is never enlarged', async () => {
  const taken = await drawn(800, 400).withExif({ IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '36/1 4/1 0/1' } }).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const { login_bg_url } = dataOf(pictureApi.save, await save('login_bg', 'a.jpg', taken))
  const { exif, ...facts } = await sharp((await download(login_bg_url)).body).metadata()
  expect(facts).toMatchObject({ format: 'jpeg', width: 400, height: 800 })
  expect(exif).toBeUndefined()
  expect((await face()).login_bg_url).toBe(login_bg_url)
})

test('a new picture has a new address, without one there is none', async () => {
  const before = (await face()).school_logo_url
  const after = dataOf(pictureApi.save, await save('logo', 'b.png', await drawn(40, 40).png().toBuffer())).school_logo_url
  expect(after).not.toBe(before)
  expect(dataOf(pictureApi.remove, await app.call(pictureApi.remove, { kind: 'logo' }, { token: admin.token })).school_logo_url).toBeNull()
  expect((await face()).school_logo_url).toBeNull()
})

test("what begins like a picture and is none, another person's upload and an unknown key are refused and change nothing", async () => {
  const before = await app.call(schoolInfoApi.detail, {}, { token: admin.token })
  const whole = await drawn(40, 40).png().toBuffer()
  const refused = await save('logo', 'c.png', whole.subarray(0, 60))
  expect([refused.status, refused.body.msg]).toEqual([415, '图片上传失败，请检查图片是否正常'])
  const colleague = await app.as({ school_id, codes: ['files.file.upload'] })
  const foreign = await upload(app, colleague, { purpose: 'logo', name: 'd.png', body: whole })
  for (const file_key of [foreign, foreign.replace('d.png', 'e.png')]) {
    const answer = await app.call(pictureApi.save, { kind: 'logo', file_key }, { token: admin.token })
    expect([answer.status, answer.body.msg]).toEqual([404, '文件不存在或已被删除，请重新上传'])
  }
  expect((await app.call(schoolInfoApi.detail, {}, { token: admin.token })).body).toEqual(before.body)
})
