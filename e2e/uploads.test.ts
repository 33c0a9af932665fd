import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rewritePicture } from '@kit/server/image'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { landing, openBrowser, openPage, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const patience = { timeout: 20_000 }
const content_policy = `default-src 'self'; img-src 'self' blob:; style-src 'self' 'unsafe-inline'; object-src 'none'`
let server: ServerUnderTest
let browser: JourneyBrowser
let context: BrowserContext
let page: Page
let faults: string[]
let planted: string

beforeAll(async () => {
  planted = await mkdtemp(join(tmpdir(), 'campus-upload-'))
  const root = join(import.meta.dirname, 'fixtures/upload')
  server = await prepareServer()
  await Promise.all([server.start(), build({ root, base: '/upload-page/', configFile: false, logLevel: 'error', build: { outDir: planted, emptyOutDir: true, target: 'es2022', minify: false } })])
  browser = await openBrowser()
  context = await browser.newContext()
  const opened = await openPage(context)
  page = opened.page
  faults = opened.faults
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.waitForURL(landing)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
  await rm(planted, { recursive: true, force: true })
})

type Drawing = { width: number; height: number; type: 'image/jpeg' | 'image/png' }

/** A picture as a camera or a drawing program would save it: the upper half transparent or black, the lower red. */
async function drawn({ width, height, type }: Drawing): Promise<Buffer> {
  const text = await page.evaluate<string>(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height})
    const pen = canvas.getContext('2d')
    pen.fillStyle = '#c00'
    pen.fillRect(0, ${height / 2}, ${width}, ${height / 2})
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: '${type}' })).arrayBuffer())
    return Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  })()`)
  return Buffer.from(text, 'latin1')
}

/** Says in the file, as phones do, that it was taken with the camera turned. */
function turned(jpeg: Buffer): Buffer {
  const exif = Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000600000000000000', 'hex')
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

test('the school gets its logo cut to a square, and a login picture', async () => {
  await page.goto(`${server.url}/SchoolRecord`)
  const logo = page.getByRole('region', { name: '校徽' })
  const before = await logo.getByAltText('当前校徽').getAttribute('src')
  await logo.getByLabel('选择校徽文件').setInputFiles({ name: '校徽.png', mimeType: 'image/png', buffer: await drawn({ width: 900, height: 600, type: 'image/png' }) })
  const dialog = page.getByRole('dialog', { name: '裁剪校徽' })
  await dialog.getByLabel('选取范围，方向键移动').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: '确定' }).click()
  await page.getByText('校徽已更新，重新登录后侧边栏同步更新').first().waitFor()
  await expect.poll(() => logo.getByAltText('当前校徽').getAttribute('src'), patience).not.toBe(before)
  const size = () => page.evaluate<unknown>(`(shown => [shown.naturalWidth, shown.naturalHeight])(document.querySelector('[alt="当前校徽"]'))`)
  await expect.poll(size, patience).toEqual([512, 512])
  const login = page.getByRole('region', { name: '登录页背景' })
  await login.getByLabel('选择登录页背景文件').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('MZ this is a program') })
  await login.getByRole('alert').filter({ hasText: '文件格式不支持' }).waitFor()
  await login.getByLabel('选择登录页背景文件').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await drawn({ width: 1600, height: 900, type: 'image/jpeg' }) })
  await page.getByText('登录页背景已更新，重新登录后侧边栏同步更新').first().waitFor()
  expect(await login.getByRole('alert').count()).toBe(0)
  expect(faults.filter(fault => !fault.includes('status of 415'))).toEqual([])
})

async function answer(route: Route): Promise<void> {
  const { pathname } = new URL(route.request().url())
  const name = pathname === '/upload-page/' ? 'index.html' : pathname.replace('/upload-page/', '')
  const headers = pathname === '/upload-page/' ? { 'content-security-policy': content_policy } : undefined
  await route.fulfill({ path: join(planted, name), ...(headers ? { headers: { ...headers, 'content-type': 'text/html' } } : {}) })
}

test('10-A20 pictures are made smaller before they leave the browser, upright, on white and without what the camera wrote', async () => {
  await context.route('**/upload-page/**', answer)
  await page.goto(`${server.url}/upload-page/`)
  const box = page.getByLabel('选择文件')
  const keys = async () => (await page.locator('output').getAttribute('data-keys'))?.split(',').filter(key => key !== '') ?? []
  const cases: [file: Buffer, type: string, width: number, height: number][] = [
    [await drawn({ width: 4000, height: 3000, type: 'image/jpeg' }), 'image/jpeg', 720, 540],
    [await drawn({ width: 3000, height: 4000, type: 'image/png' }), 'image/png', 960, 1280],
    [await drawn({ width: 500, height: 400, type: 'image/png' }), 'image/png', 500, 400],
    [turned(await drawn({ width: 4000, height: 3000, type: 'image/jpeg' })), 'image/jpeg', 960, 1280],
  ]
  for (const [at, [buffer, mimeType, width, height]] of cases.entries()) {
    await box.setInputFiles({ name: `照片${at}.${mimeType.slice(6)}`, mimeType, buffer })
    await expect.poll(async () => (await keys()).length, patience).toBe(at + 1)
    const key = (await keys())[at] ?? ''
    const stored = await readFile(join(server.data_dir, 'files', key))
    expect([key, stored.subarray(0, 3).toString('hex'), stored.includes('Exif')]).toEqual([expect.stringMatching(/^900001\/\d+\/\d{8}\/900001\d{6}\d{13}\.jpg$/), 'ffd8ff', false])
    expect(await rewritePicture(stored)).toMatchObject({ width, height, mime: 'image/jpeg' })
  }
  const gif = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
  await box.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: gif })
  await expect.poll(async () => (await keys()).length, patience).toBe(5)
  expect(await readFile(join(server.data_dir, 'files', (await keys())[4] ?? ''))).toEqual(gif)
  await box.setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('MZ this is a program') })
  await page.getByRole('alert').filter({ hasText: '图片上传失败，请检查图片是否正常' }).waitFor()
})

test('10-A20 of 151 chosen files the first 150 are taken, and the person is told', async () => {
  await page.goto(`${server.url}/upload-page/`)
  const small = await drawn({ width: 8, height: 8, type: 'image/png' })
  const files = Array.from({ length: 151 }, (_, at) => ({ name: `${at}.png`, mimeType: 'image/png', buffer: small }))
  // The notice goes by itself, on a busy machine before the files have been handed over.
  await Promise.all([page.getByText('一次最多选择150个文件').first().waitFor(), page.getByLabel('选择文件').setInputFiles(files)])
  await expect.poll(() => page.getByRole('listitem').count(), patience).toBe(150)
})
