import { studentApi } from '@campus/people/contract'
import { navigationApi } from '@campus/school/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, trouble } from './answers.ts'
import { calm, landing, openBrowser, openPage, signIn } from './browser.ts'
import { sharedServer } from './server.ts'

const server = sharedServer()
const added = { code: 'people.student.export' }
let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  page = (await openPage(await browser.newContext(calm))).page
})
afterAll(async () => {
  await browser?.close()
})

/** The permissions that the browser keeps. */
const kept = () => page.evaluate<string>(`localStorage.getItem('menu_perms')`)
const button = () => page.getByRole('button', { name: '导出', exact: true })

async function openRoll(): Promise<void> {
  await page.goto(`${server.url}/ParentsRecord`)
  await page.locator('tbody .ant-table-row').first().waitFor()
}

function withExport(said: string): string {
  const reply: { data: { perms: { code: string; list: { code: string }[] }[] } } = JSON.parse(said)
  for (const group of reply.data.perms) group.list.push(added)
  return JSON.stringify(reply)
}
