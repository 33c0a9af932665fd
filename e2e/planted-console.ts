import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { build } from 'vite'
import { z } from 'zod'

/** A build of the console with pages that no school gets, shown in place of the server's own. */
export type PlantedConsole = { showIn(page: Page): Promise<void>; remove(): Promise<void> }

const console_dir = join(import.meta.dirname, '../apps/console')
const planted = join(import.meta.dirname, 'fixtures/planted/domains.tsx')
const settings_block = /<script type="application\/json" id="campus-settings">[\s\S]*?<\/script>/
const planted_paths = ['/PlantedThrow', '/PlantedWarn', '/PlantedWide', '/PlantedMute', '/PlantedPale', '/PlantedKept', '/PlantedJump', '/PlantedTrap', '/PlantedFalter']
const Menu = z.looseObject({ data: z.looseObject({ navs: z.array(z.looseObject({ code: z.string(), list: z.array(z.unknown()) })) }) })
const is_page = /^\/[A-Za-z]\w*$/
const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', woff2: 'font/woff2' }

/** The menu with the planted pages in it, as if the school had them. */
async function licensed(route: Route): Promise<void> {
  const response = await route.fetch()
  const reply = Menu.parse(await response.json())
  const nodes = planted_paths.map((path, at) => ({ id: 9901 + at, path, code: path.slice(1), name: path, show_name: path, icon: '', order: at, superior_id: 0, hidden: true, children: [] }))
  for (const { code, list } of reply.data.navs) if (code === 'cloud_navs') list.push(...nodes)
  await route.fulfill({ response, json: reply })
}

/** Builds the console with the planted pages beside its own. */
export async function buildPlantedConsole(): Promise<PlantedConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'campus-planted-'))
  await build({
    root: console_dir,
    configFile: join(console_dir, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [{ name: 'planted', enforce: 'pre', resolveId: (source, importer) => (/(^|\/)domains\.ts$/.test(source) && importer?.includes('/apps/console/app/') ? planted : null) }],
    build: { outDir: folder, emptyOutDir: true },
  })
  const index = await readFile(join(folder, 'index.html'), 'utf8')
  const answer = async (route: Route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.endsWith('/navigations')) return licensed(route)
    const file = join(folder, pathname)
    if (pathname.startsWith('/assets/') && existsSync(file)) return route.fulfill({ path: file, contentType: types[file.split('.').at(-1) ?? ''] })
    if (!is_page.test(pathname) || route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const [settings = ''] = settings_block.exec(await response.text()) ?? []
    return route.fulfill({ response, body: index.replace(settings_block, settings) })
  }
  return {
    showIn: async page => {
      await page.route('**/*', answer)
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
