import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFindings } from './crawl.ts'

type Size = { width: number; height: number }

/** The windows of the people at a desk; the first is the usual one. */
export const desks = [{ width: 1366, height: 768 }, { width: 1920, height: 1080 }] as const satisfies readonly Size[]
/** The narrowest window the login page is made for. */
export const phone = { width: 320, height: 640 } as const satisfies Size

const dialogs = 'dialog[open], .ant-modal'
const wider = `[...document.querySelectorAll('html, main, dialog, .ant-modal')].filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.outerHTML.slice(0, 80))`

/**
 * Expects nothing wider than its window on every size given, and no serious finding of axe on the page or on the dialog above it.
 */
export async function expectSound(page: Page, ...sizes: readonly Size[]): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    expect(await page.evaluate(wider)).toEqual([])
  }
  const has_dialog = await page.locator(dialogs).count() > 0
  expect(await axeFindings(page, has_dialog ? dialogs : 'html')).toEqual([])
  await page.setViewportSize(desks[0])
}

/** Waits until a part of the page has the focus. */
export async function expectFocus(part: Locator): Promise<void> {
  await part.and(part.page().locator(':focus')).waitFor()
}

/** Presses keys one after another. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
