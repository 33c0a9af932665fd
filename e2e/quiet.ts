import type { Page, Request } from 'playwright-core'

const patience_ms = 60_000
const still_ms = 150
const step_ms = 30
/** What stays open by its nature. */
const lasting: readonly string[] = ['websocket', 'eventsource', 'media']

/** What a page has asked for: how often, and how to wait until nothing is on its way and the page has drawn what came. */
export type Requests = { asked: () => number; quiet: () => Promise<void> }

/** Runs in the page: what came has been drawn, and what follows from it has been asked for. */
const at_rest = 'new Promise(done => requestAnimationFrame(() => requestIdleCallback(done, { timeout: 3000 }))).then(() => undefined)'

/** Listens to what a page asks for: `networkidle` speaks of the load of a document alone, not of what the console asks afterwards. */
export function listenToRequests(page: Page): Requests {
  const waiting = new Set<Request>()
  let changed = 0
  let asked = 0
  const began = (request: Request) => {
    changed = Date.now()
    asked += 1
    if (!lasting.includes(request.resourceType())) waiting.add(request)
  }
  const ended = (request: Request) => {
    changed = Date.now()
    waiting.delete(request)
  }
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended)
  // A document that goes takes its unanswered requests with it.
  page.on('domcontentloaded', () => waiting.clear())
  const quiet = async () => {
    const deadline = Date.now() + patience_ms
    while (Date.now() < deadline) {
      await page.evaluate(at_rest)
      if (waiting.size === 0 && Date.now() - changed >= still_ms) return
      await new Promise(resolve => setTimeout(resolve, step_ms))
    }
    throw new Error(`still on its way: ${[...waiting].map(request => new URL(request.url()).pathname).join(', ')}`)
  }
  return { asked: () => asked, quiet }
}
