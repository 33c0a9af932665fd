import type { Call } from '@kit/contract'
import type { Page, Route } from 'playwright-core'

/** How the server seems to answer one call: not yet, with an error of its own, not at all. */
type Trouble = 'slow' | 'broken' | 'cut'
/** Ends the trouble: what waited is answered, and the next calls reach the server. */
export type Relief = () => Promise<void>

/** Lets one call of the page run into trouble until it is relieved. */
export async function trouble(page: Page, call: Call, kind: Trouble): Promise<Relief> {
  const waiting: (() => void)[] = []
  const meet = async (route: Route) => {
    if (kind === 'cut') return route.abort()
    if (kind === 'broken') return route.fulfill({ status: 500, body: 'upstream' })
    await new Promise<void>(resolve => waiting.push(resolve))
    await route.continue().catch(() => undefined)
  }
  const is_it = concerns(call)
  await page.route(is_it, meet)
  return async () => {
    for (const go of waiting) go()
    await page.unroute(is_it, meet)
  }
}

/** Answers one call with `data` in place of the server's; `change` gets what the server said, as text of JSON. */
export async function answer(page: Page, call: Call, change: (said: string) => string): Promise<Relief> {
  const is_it = concerns(call)
  const meet = async (route: Route) => {
    // A page that goes on to another address takes its request with it.
    const response = await route.fetch().catch(() => undefined)
    if (response) await route.fulfill({ response, body: change(await response.text()) }).catch(() => undefined)
  }
  await page.route(is_it, meet)
  return () => page.unroute(is_it, meet)
}

/** An answer of a list without any row. */
export const nothing = (): string => JSON.stringify({ code: 600, msg: '', data: { list: [], total: 0 } })

/** Every value of a field made as long as the product allows. */
export function lengthened(names: Readonly<Record<string, number>>): (said: string) => string {
  return said => JSON.stringify(JSON.parse(said), (name, value: unknown) => (typeof value === 'string' && names[name] !== undefined ? value.padEnd(names[name], '长') : value))
}

function concerns(call: Call): (url: URL) => boolean {
  const patterns = call.paths.map(path => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))
  return url => patterns.some(pattern => pattern.test(url.pathname))
}
