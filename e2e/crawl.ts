import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What was wrong with a page: lines of its console, answers the server should not have given, findings of axe, a page wider than the window. */
export type Crawled = { path: string; faults: string[] }

const ready_ms = 20_000
/** Rules of axe that can only find what is minor or moderate: their findings would not count, and asking them takes 40 % of the time. */
const of_no_weight = [
  'aria-allowed-role', 'aria-deprecated-role', 'duplicate-id', 'empty-heading', 'empty-table-header', 'form-field-multiple-labels', 'heading-order', 'html-xml-lang-mismatch',
  'identical-links-same-purpose', 'image-redundant-alt', 'landmark-banner-is-top-level', 'landmark-complementary-is-top-level', 'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level', 'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main', 'landmark-one-main', 'landmark-unique',
  'meta-viewport', 'meta-viewport-large', 'page-has-heading-one', 'presentation-role-conflict', 'region', 'scope-attr-valid', 'server-side-image-map', 'skip-link', 'table-duplicate-name',
]
const options = JSON.stringify({ resultTypes: ['violations'], preload: false, rules: Object.fromEntries(of_no_weight.map(id => [id, { enabled: false }])) })
const at_rest = `Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished)).then(() => undefined)`
/** Buttons, links and fields that lie under the button of the help though everything is scrolled to its end: nobody can reach those. */
const under_the_help = `(() => {
  const box = document.querySelector('.app-help')?.getBoundingClientRect()
  if (!box) return []
  for (const part of document.querySelectorAll('main, main *')) if (part.scrollHeight > part.clientHeight) part.scrollTop = part.scrollHeight
  const meets = ({ left, right, top, bottom }) => left < box.right && right > box.left && top < box.bottom && bottom > box.top
  return [...document.querySelectorAll('main :is(a, button, input, [role=button])')].filter(part => part.checkVisibility() && meets(part.getBoundingClientRect())).map(part => 'under the help: ' + part.outerHTML.slice(0, 120))
})()`
/** Warnings of the browser itself about the pace of the machine say nothing of the page. */
const is_noise = /Slow network is detected|was preloaded using link preload but not used/

/** Opens each address as a person who types it, waits until the page says that it stands, and looks for faults. */
export async function crawl(page: Page, url: string, paths: readonly string[]): Promise<Crawled[]> {
  const heard: string[] = []
  page.on('console', message => {
    if ((message.type() === 'error' || message.type() === 'warning') && !is_noise.test(message.text())) heard.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => heard.push(`error: ${error.message}`))
  page.on('response', answer => {
    if (answer.status() >= 400) heard.push(`${answer.status()}: ${new URL(answer.url()).pathname}`)
  })
  const crawled: Crawled[] = []
  for (const path of paths) {
    heard.length = 0
    await page.goto(`${url}${path}`)
    crawled.push({ path, faults: [...(await look(page)), ...heard] })
  }
  return crawled
}

async function look(page: Page): Promise<string[]> {
  const stands = await page.locator('[data-ready]').first().waitFor({ timeout: ready_ms }).then(() => true, () => false)
  if (!stands) return ['the page never says that it stands']
  await page.waitForLoadState('networkidle')
  const ready = (await page.locator('[data-ready]').first().getAttribute('data-ready')) ?? ''
  const broken = ['failed', 'not-found', 'forbidden', 'empty'].includes(ready) ? [`shows ${ready}`] : []
  const too_wide = await page.evaluate(`[...document.querySelectorAll('html, main, .app-page')].some(part => part.scrollWidth > part.clientWidth + 1)`)
  const found = await axeFindings(page)
  return [...broken, ...(too_wide === true ? ['wider than the window'] : []), ...found, ...(await page.evaluate<string[]>(under_the_help))]
}

/** Serious and critical findings of axe on the page as it stands, or on a part of it; antd's hidden row that only measures columns repeats their heads. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  // Colours are judged when what fades has come to rest.
  await page.evaluate(at_rest)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  const where = JSON.stringify({ include: [[within]], exclude: [['.ant-table-measure-row']] })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${where}, ${options})`)
  const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return bad.map(({ id, nodes }) => `axe ${id}: ${nodes[0]?.html ?? ''}`)
}
