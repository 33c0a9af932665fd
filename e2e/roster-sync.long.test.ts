// 名册同步: a file that is no roster is refused with what to do; a roster becomes an import that is looked at first.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildZip } from '@kit/server/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]
let folder: string

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
  folder = await mkdtemp(join(tmpdir(), 'roster-'))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

test('a wrong file is told, a roster is read, its log leads to the check', async () => {
  const wrong = join(folder, '名册.zip')
  await writeFile(wrong, '这不是压缩包')
  const roster = join(folder, '上游名册.zip')
  const orgs = 'sourcedId,status,name,type,parentSourcedId\ns1,active,本校,school,\no1,active,心理健康中心,department,s1\no2,tobedeleted,旧部门,department,s1\n'
  await writeFile(roster, buildZip([{ name: 'orgs.csv', content: orgs }]))
  await page.goto(`${url}/Organization`)
  await page.getByRole('button', { name: /^更\s?多$/ }).last().click()
  await page.getByRole('menuitem', { name: '名册同步' }).click()
  const drawer = page.getByRole('dialog', { name: '名册同步' })
  await drawer.getByText('还没有同步过名册').waitFor()
  await drawer.locator('input[type=file]').first().setInputFiles(wrong)
  await drawer.getByText('名册不是可用的 zip 压缩包，请从上游系统重新导出 OneRoster CSV').waitFor()
  await drawer.locator('input[type=file]').first().setInputFiles(roster)
  const check = drawer.getByRole('link', { name: '核对部门班级 1 行' })
  await check.waitFor()
  await drawer.getByText('上游已移除 1 项，请人工办理离校或调整组织架构').waitFor()
  await picture(page, 'roster-sync')
  expect(await axeFindings(page, '[role=dialog]')).toEqual([])
  await check.click()
  await page.getByRole('dialog', { name: '部门班级导入' }).getByText('心理健康中心').first().waitFor()
  await picture(page, 'roster-sync-check')
  expect(faults.filter(fault => !/status of 422/.test(fault))).toEqual([])
})
