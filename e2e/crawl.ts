import axe from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { walkTo } from './browser.ts'

/** What was wrong with a page: lines of its console, answers the server should not have given, findings of axe, a page wider than the window. */
export type Crawled = { path: string; faults: string[] }
/** What axe found, and how the texts looked whose colours it judged. */
type Found = Pick<AxeResults, 'violations'> & { looks: string[] }

const ready_ms = 20_000
/** Rules of axe that can only find what is minor or moderate: their findings would not count, and asking them takes 40 % of the time. */
const of_no_weight = [
  'aria-allowed-role', 'aria-deprecated-role', 'duplicate-id', 'empty-heading', 'empty-table-header', 'form-field-multiple-labels', 'heading-order', 'html-xml-lang-mismatch',
  'identical-links-same-purpose', 'image-redundant-alt', 'landmark-banner-is-top-level', 'landmark-complementary-is-top-level', 'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level', 'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main', 'landmark-one-main', 'landmark-unique',
  'meta-viewport', 'meta-viewport-large', 'page-has-heading-one', 'presentation-role-conflict', 'region', 'scope-attr-valid', 'server-side-image-map', 'skip-link', 'table-duplicate-name',
]
const options = JSON.stringify({ resultTypes: ['violations'], preload: false, rules: Object.fromEntries(of_no_weight.map(id => [id, { enabled: false }])) })
/** How many texts of one look are judged by their colours: rows and cards repeat the first ones. */
const of_one_look = 3
/**
 * Runs in the page, once: axe judges colours where an element has text of its own and does not look, its ancestors included, like others that were
 * judged: the first few of a page, or any of a page that was found to be clean. Colours are two thirds of what axe costs, nearly all of it
 * for the menu, the rows and the cards that repeat what has been seen.
 */
const judge_each_look_once = `(() => {
  const rule = axe._audit.rules.find(one => one.id === 'color-contrast')
  const usual = rule.matches
  let known, looks, seen
  const hash = text => {
    let a = 0xdeadbeef, b = 0x41c6ce57
    for (let at = 0; at < text.length; at += 1) {
      a = Math.imul(a ^ text.charCodeAt(at), 2654435761)
      b = Math.imul(b ^ text.charCodeAt(at), 1597334677)
    }
    return ((a ^ (a >>> 16)) >>> 0).toString(36) + ((b ^ (b >>> 13)) >>> 0).toString(36)
  }
  const lookOf = element => {
    if (!element) return ''
    if (looks.has(element)) return looks.get(element)
    const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow, position, filter } = getComputedStyle(element)
    const look = hash([lookOf(element.parentElement), element.tagName, element.className, color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight, textShadow, position, filter].join('|'))
    looks.set(element, look)
    return look
  }
  const isNew = element => {
    const has_text = element.matches('input, select, textarea') || [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')
    if (!has_text) return false
    const look = lookOf(element)
    if (known.has(look)) return false
    seen.set(look, (seen.get(look) ?? 0) + 1)
    return seen.get(look) <= ${of_one_look}
  }
  rule.matches = (element, ...more) => isNew(element) && usual.call(rule, element, ...more)
  window.axeOn = (where, options, clean) => {
    known = new Set(clean)
    looks = new Map()
    seen = new Map()
    return axe.run(where, options).then(({ violations }) => ({ violations, looks: [...seen.keys()] }))
  }
})()`
/** Looks that this worker's pages have shown and axe had nothing against. */
const clean_looks = new Set<string>()
const at_rest = `Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished)).then(() => undefined)`
/** Warnings of the browser itself about the pace of the machine say nothing of the page. */
const is_noise = /Slow network is detected|was preloaded using link preload but not used/

/**
 * Opens the first address as a person who types it and goes on from there to the others, as by the menu, which costs a fraction of a load; waits
 * until the page says that it stands, and looks for faults. The server must give the console under every one of them.
 */
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
    const typed = await page.request.get(`${url}${path}`)
    const is_given = typed.ok() && (await typed.text()).includes('id="campus-settings"')
    if (crawled.length === 0) await page.goto(`${url}${path}`)
    else await walkTo(page, path)
    crawled.push({ path, faults: [...(is_given ? [] : ['the server does not give the console here']), ...(await look(page)), ...heard] })
  }
  return crawled
}

async function look(page: Page): Promise<string[]> {
  // Pages that are kept stand hidden beside it.
  const ready_part = page.locator('[data-ready]').filter({ visible: true }).first()
  const stands = await ready_part.waitFor({ timeout: ready_ms }).then(() => true, () => false)
  if (!stands) return ['the page never says that it stands']
  await page.waitForLoadState('networkidle')
  const ready = (await ready_part.getAttribute('data-ready')) ?? ''
  const broken = ['failed', 'not-found', 'forbidden', 'empty'].includes(ready) ? [`shows ${ready}`] : []
  const too_wide = await page.evaluate(`[...document.querySelectorAll('html, main, .app-page, .kit-page-body')].some(part => part.scrollWidth > part.clientWidth + 1)`)
  const found = await axeFindings(page)
  return [...broken, ...(too_wide === true ? ['wider than the window'] : []), ...found]
}

/** Serious and critical findings of axe on the page as it stands, or on a part of it; antd's hidden row that only measures columns repeats their heads. */
export async function axeFindings(page: Page, within = 'html'): Promise<string[]> {
  // Colours are judged when what fades has come to rest.
  await page.evaluate(at_rest)
  if (!(await page.evaluate<boolean>(`'axeOn' in window`))) await page.evaluate(`${axe.source}; ${judge_each_look_once}`)
  const where = JSON.stringify({ include: [[within]], exclude: [['.ant-table-measure-row']] })
  const found = await page.evaluate<Found>(`axeOn(${where}, ${options}, ${JSON.stringify([...clean_looks])})`)
  const bad = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  if (bad.length === 0) for (const one of found.looks) clean_looks.add(one)
  return bad.map(({ id, nodes }) => `axe ${id}: ${nodes[0]?.html ?? ''}`)
}
