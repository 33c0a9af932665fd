import type { PersonFacet } from '@campus/people/contract'
import type { Me, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { ProviderDesk } from './timeline-port.ts'

/** How long a provider is waited for (chapter 20 §5.3), ms. */
const patience_ms = 800

type AnyLane = { lane: string; title: string; need: string; facets: readonly PersonFacet[] }

/** The lanes that this reader may know of for a person of these facets. */
export function openLanes<L extends AnyLane>(lanes: readonly L[], me: Me, facets: readonly PersonFacet[]): L[] {
  return lanes.filter(({ need, facets: of }) => me.codes.has(need) && of.some(facet => facets.includes(facet)))
}

/** Asks all lanes at once, each by itself: who fails or takes too long is given up and named in `unavailable`, the others stay. */
export async function askLanes<L extends AnyLane, R>(pre: Pre, me: Me, lanes: readonly L[], ask: (lane: L, desk: ProviderDesk) => Promise<R>): Promise<{ answers: { lane: L; answer: R }[]; unavailable: { lane: string; title: string }[] }> {
  const asked = await Promise.all(lanes.map(async lane => ({ lane, answer: await askOne(pre, me, lane, ask) })))
  return {
    answers: asked.flatMap(({ lane, answer }) => (answer === null ? [] : [{ lane, answer: answer.value }])),
    unavailable: asked.flatMap(({ lane: { lane, title }, answer }) => (answer === null ? [{ lane, title }] : [])),
  }
}

async function askOne<L extends AnyLane, R>(pre: Pre, me: Me, lane: L, ask: (lane: L, desk: ProviderDesk) => Promise<R>): Promise<{ value: R } | null> {
  const patience = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    patience.abort()
    late.reject(new Error(`${lane.lane} did not answer within ${patience_ms} ms`))
  }, patience_ms)
  const desk: ProviderDesk = { app: pre.app, me, school_id: me.school_id, now: pre.now, signal: patience.signal, own: fn => ownOf(pre, me, late.promise, fn) }
  try {
    return { value: await Promise.race([ask(lane, desk), late.promise]) }
  } catch (error) {
    pre.log.warn({ lane: lane.lane, err: error }, 'a lane of the person page is not available')
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** A transaction that ends when it is no longer waited for; the database gives a statement up at the same time. */
function ownOf<DB, R>(pre: Pre, me: Me, late: Promise<never>, fn: (db: Kysely<DB>) => Promise<R>): Promise<R> {
  return pre.own<DB, R>(me.school_id, async db => {
    await sql`select set_config('statement_timeout', ${String(patience_ms)}, true)`.execute(db)
    return Promise.race([fn(db), late])
  })
}
