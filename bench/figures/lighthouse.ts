import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { signIn } from '../../e2e/browser.ts'
import { chromium_flags, findChromium } from '../../tools/chromium.ts'
import { atLeast, reported } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median } from '../measure.ts'
import { installOnDemand, runIn } from '../on-demand.ts'
import { freePort, scratchFolder, startProduct } from '../product.ts'
import { install } from '../school.ts'

const version = '13.5.0'
const demo_password = 'Demo@Pass26'

/** The two pages that everybody meets, by the score of a tool that is not ours. */
export const lighthouse: Figure = {
  name: 'lighthouse',
  title: 'Lighthouse of the login page and the roll',
  how: `Lighthouse ${version}, category performance, median of three (its own simulated network and processor); the demo school on PostgreSQL. The roll is opened by a signed-in administrator whose storage is kept and whose cache is cleared.`,
  run,
}

type Run = { score: number; words: string }
type Asked = { name: string; path: string; desktop: boolean; least: number }

const pages: readonly Asked[] = [
  { name: 'login, mobile', path: '/', desktop: false, least: 95 },
  { name: 'roll, mobile', path: '/ParentsRecord', desktop: false, least: 85 },
  { name: 'roll, desktop', path: '/ParentsRecord', desktop: true, least: 95 },
]

async function run(bench: Bench): Promise<Line[]> {
  const { app, settings } = await install('postgres', bench)
  await app.running.close()
  const product = await startProduct({ ...settings, CAMPUS_PROFILE: 'demo' })
  const { folder } = await installOnDemand(`lighthouse@${version}`)
  const port = await freePort()
  const executablePath = findChromium() ?? ''
  const context = await chromium.launchPersistentContext(scratchFolder('lighthouse'), { executablePath, args: [...chromium_flags, `--remote-debugging-port=${port}`] })
  try {
    const lines: Line[] = []
    for (const asked of pages) {
      if (asked.path !== '/') await signInOnce(await context.newPage(), product.url)
      const runs: Run[] = []
      while (runs.length < (bench.quick ? 1 : 3)) runs.push(await measure(folder, port, product.url, asked))
      const score = median(runs.map(one => one.score))
      bench.say(`${asked.name}: ${runs.map(one => `${one.score} (${one.words})`).join('; ')}`)
      lines.push(atLeast(asked.name, score, asked.least, String), reported(`${asked.name}: each run`, runs.map(one => `${one.score}: ${one.words}`).join('; ')))
    }
    return lines
  } finally {
    await context.close()
    await product.stop()
  }
}

async function signInOnce(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/ParentsRecord`)
  if (await page.getByText(/共\s*[\d,]+\s*条/).first().waitFor({ timeout: 5000 }).then(() => true, () => false)) return page.close()
  await signIn(page, url, 'admin01', demo_password)
  await page.getByRole('link', { name: '学生家长档案' }).first().waitFor()
  await page.close()
}

const Audit = z.object({ numericValue: z.number() })
const Report = z.object({
  categories: z.object({ performance: z.object({ score: z.number() }) }),
  audits: z.object({ 'first-contentful-paint': Audit, 'largest-contentful-paint': Audit, 'total-blocking-time': Audit, 'cumulative-layout-shift': Audit }),
})

async function measure(folder: string, port: number, url: string, { path, desktop }: Asked): Promise<Run> {
  const file = join(scratchFolder('report'), 'report.json')
  const cli = join(folder, 'node_modules/lighthouse/cli/index.js')
  await runIn(folder, process.execPath, [cli, `${url}${path}`, `--port=${port}`, '--only-categories=performance', '--disable-storage-reset', '--output=json', `--output-path=${file}`, '--quiet', ...(desktop ? ['--preset=desktop'] : [])])
  const { categories, audits } = Report.parse(JSON.parse(readFileSync(file, 'utf8')))
  const [fcp, lcp, tbt] = (['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'] as const).map(name => `${Math.round(audits[name].numericValue)} ms`)
  return { score: Math.round(categories.performance.score * 100), words: `FCP ${fcp}, LCP ${lcp}, TBT ${tbt}, CLS ${audits['cumulative-layout-shift'].numericValue.toFixed(3)}` }
}
