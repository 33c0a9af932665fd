import type { Credential, PersonFacet, TimelineItem } from '@campus/people/contract'
import { Port } from '@kit/server/http'
import type { App, Me } from '@kit/server/http'
import type { Kysely } from 'kysely'

/**
 * What a provider may use. `own` is one short transaction of its own with the tenant set; it is given up, and so rolled back, when the answer is no
 * longer waited for. What is not SQL must heed `signal`.
 */
export type ProviderDesk = {
  app: App
  me: Me
  school_id: number
  now: Date
  signal: AbortSignal
  own<DB, R>(fn: (db: Kysely<DB>) => Promise<R>): Promise<R>
}

/**
 * Which items: `since` inclusive, `until` exclusive. `before`: only items earlier than `at`, or of the same instant with an id less than `below` in
 * code point order. At most `limit`, newest first, of the same instant the greatest id first.
 */
export type TimelineAsked = { user_id: string; since: Date | null; until: Date | null; before: { at: Date; below: string } | null; limit: number }

type Lane = {
  /** unique name, `domain.noun` */
  lane: string
  title: string
  /** the code without which a reader does not even learn that the lane exists */
  need: string
  facets: readonly PersonFacet[]
}

/** One kind of thing that happens to people (chapter 20 §5.3). The person page has made sure that the reader may see the person. */
export type TimelineProvider = Lane & {
  items(desk: ProviderDesk, asked: TimelineAsked): Promise<(Omit<TimelineItem, 'at' | 'lane'> & { at: Date })[]>
}

/** What is to be said of somebody's day so far, in short lines. */
export type TodayProvider = Lane & {
  lines(desk: ProviderDesk, user_id: string): Promise<{ at: Date | null; text: string }[]>
}

/** Cards, faces and terminals of a person (chapter 20 §5.3), each with its state in one word. */
export type CredentialProvider = Lane & {
  items(desk: ProviderDesk, user_id: string): Promise<(Omit<Credential, 'at'> & { at: Date | null })[]>
}

/** Filled by every domain in which something happens to people. */
export const timelinePort = new Port<TimelineProvider>('people.timeline')
export const todayLinePort = new Port<TodayProvider>('people.today_line')
export const credentialPort = new Port<CredentialProvider>('people.credential')
