import type { MiniSession } from '@campus/identity/contract'
import { Refused, sentenceOf } from './ask.ts'
import { renew, verifyLink } from './session.ts'

/** What the server wrote into the page: which sub-application this address is, and for which school. */
export type MiniDocument = { app: string | null; title: string | null; school_id: number | null }

/** How a page begins: with a session, with the login of the phone entry, or with the sentence that says why it does not. */
export type Begin = { kind: 'live'; told: MiniSession } | { kind: 'login' } | { kind: 'stale' } | { kind: 'failed'; msg: string }

/** Reads the document block; a broken one is no sub-application. */
export function readDocument(text: string | null | undefined): MiniDocument {
  try {
    return { app: null, title: null, school_id: null, ...JSON.parse(text ?? '{}') }
  } catch {
    return { app: null, title: null, school_id: null }
  }
}

/**
 * The link is taken out of the address before anything else happens, then verified; without one the cookie goes on (chapter 80 M2). A session
 * of another school than the document's is not taken (M9). The hall alone lets people log in (M11).
 */
export async function begin({ app, school_id }: MiniDocument): Promise<Begin> {
  if (app === null) return { kind: 'stale' }
  const query = takeQuery()
  if (!query.includes('sign=') && !hasBegun(app)) return app === 'hall' ? { kind: 'login' } : { kind: 'stale' }
  try {
    const told = query.includes('sign=') ? await verifyLink(query) : await renew(app)
    const is_other = told.app.code !== app || (school_id !== null && told.school.school_id !== school_id)
    if (!is_other) return live(told)
    return query.includes('sign=') || app !== 'hall' ? { kind: 'stale' } : { kind: 'login' }
  } catch (cause) {
    const is_over = cause instanceof Refused && cause.status === 401
    if (is_over) noteBegun(app, false)
    if (!is_over) return { kind: 'failed', msg: sentenceOf(cause) }
    return app === 'hall' && !query.includes('sign=') ? { kind: 'login' } : { kind: 'stale' }
  }
}

function live(told: MiniSession): Begin {
  noteBegun(told.app.code, true)
  return { kind: 'live', told }
}

/** Whether there can be a cookie to go on by: it is out of reach of scripts, and asking without one is an error in everybody's console. */
function hasBegun(app: string): boolean {
  try {
    return window.localStorage.getItem(`mini_begun_${app}`) === '1'
  } catch {
    return true
  }
}

/** Kept when a session begins, also by the login of the phone entry; forgotten when it is over. */
export function noteBegun(app: string, begun: boolean): void {
  try {
    if (begun) window.localStorage.setItem(`mini_begun_${app}`, '1')
    else window.localStorage.removeItem(`mini_begun_${app}`)
  } catch {
    // A private window asks each time.
  }
}

/** The module of a shared folder and the code of a door stay, so that a reload comes back to the same sub-application and door. */
function takeQuery(): string {
  const { pathname, search } = window.location
  const asked = new URLSearchParams(search)
  const kept = new URLSearchParams(['module', 't'].flatMap(name => asked.getAll(name).map(value => [name, value]))).toString()
  window.history.replaceState(null, '', kept === '' ? pathname : `${pathname}?${kept}`)
  return search.slice(1)
}
