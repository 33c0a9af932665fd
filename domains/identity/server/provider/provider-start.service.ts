import { identityErrors } from '@campus/identity/contract'
import type { providerLoginApi } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { Pre, RedirectReply } from '@kit/server/http'
import type { Desk, IdentityHandle } from '../db.ts'
import { waitFor } from '../rate.ts'
import { adapterOf, problemOf, usableAdapters } from './adapters.ts'
import { keepBrowser } from './browser-cookie.ts'
import { openLine, readLines } from './line.queries.ts'
import type { LineKey, StoredLine } from './line.queries.ts'
import { refusalOf, wayOut } from './travel.ts'
import { Trip } from './trip.ts'
import { beginVisit } from './visit.queries.ts'

const active = 2

/**
 * Sends a browser to a provider with a fresh state that only this browser can bring back (chapter 10 §4).
 * @throws Refusal 422 providerOff, 503 providerSilent, 429 tooFast
 */
export async function startLogin(pre: Pre, { school_id, shape, adapter }: Input<typeof providerLoginApi.start>): Promise<RedirectReply> {
  const desk: Desk = pre
  const wait = waitFor(desk.app, `provider:${pre.request.ip}`, desk.app.config.CAMPUS_CAPTCHA_PER_MINUTE, desk.now)
  if (wait > 0) throw fail(identityErrors.tooFast, { retry_after: wait })
  const lines = await desk.own(school_id, db => offeredLines(desk, db, school_id))
  const stored = lines.find(line => line.shape === shape && (adapter === undefined || line.adapter === adapter))
  if (!stored) throw fail(identityErrors.providerOff)
  const line = openLine(desk.app, school_id, stored)
  if (problemOf(desk.app, line) !== null) throw fail(identityErrors.providerOff)
  const state = await desk.own(0, db => beginVisit(db, { purpose: 'login', browser: keepBrowser(pre), school_id, shape, adapter: line.adapter }, desk.now))
  const trip = new Trip()
  const location = await wayOut(pre, line, state, trip).catch((error: unknown) => {
    throw refusalOf(pre, line, error)
  })
  return { location }
}

/** The lines that the login page of a school may offer; none of a school that is not open. */
export async function offeredLines({ app }: Pick<Desk, 'app'>, db: IdentityHandle, school_id: number): Promise<StoredLine[]> {
  const usable = usableAdapters(app)
  return (await enabledLines(db, school_id)).filter(({ adapter }) => adapterOf(adapter) !== undefined && usable.includes(adapter))
}

/** A line that is on, in a school that is open; undefined when it may not be used. */
export async function usableLine({ app }: Pick<Desk, 'app'>, db: IdentityHandle, school_id: number, { shape, adapter }: LineKey): Promise<StoredLine | undefined> {
  const found = (await enabledLines(db, school_id)).find(line => line.shape === shape && line.adapter === adapter)
  return found && usableAdapters(app).includes(adapter) ? found : undefined
}

async function enabledLines(db: IdentityHandle, school_id: number): Promise<StoredLine[]> {
  const school = await db.selectFrom('school_v').select('state').where('school_id', '=', school_id).executeTakeFirst()
  return school?.state === active ? (await readLines(db, school_id)).filter(line => line.enabled) : []
}
