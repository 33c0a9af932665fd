import type { personPageApi, Timeline, TimelineItem } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { addDays, schoolTime } from '../day.ts'
import type { Db } from '../db.ts'
import { askLanes, openLanes } from './ask-lanes.ts'
import { seenPerson } from './seen-person.ts'
import { credentialPort, timelinePort, todayLinePort } from './timeline-port.ts'

/** Items of one answer. */
const page_size = 50
const midnight = '00:00'
const cursor_form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\/([a-z0-9_.]{1,40})\/(.{1,80})$/
/** Greater than every id. */
const above_all = '\u{10ffff}'

type Place = { at: string; lane: string; id: string }

/**
 * What happened to a person, newest first, out of all lanes the reader has the codes of; lanes that do not answer in time are named.
 * @throws Refusal 404 for a person the reader may not see
 */
export async function readTimeline(pre: Pre, { id, from, to, domains, cursor }: Input<typeof personPageApi.timeline>): Promise<Timeline> {
  const { me, facets } = await whoAsks(pre, id)
  const lanes = openLanes(timelinePort.all(pre.app), me, facets)
  const last = placeOf(cursor)
  const span = { since: from === undefined ? null : schoolTime(from, midnight), until: to === undefined ? null : schoolTime(addDays(to, 1), midnight) }
  const wanted = lanes.filter(({ lane }) => domains === undefined || domains.includes(lane))
  const { answers, unavailable } = await askLanes(pre, me, wanted, (lane, desk) => lane.items(desk, { user_id: id, ...span, before: last && beforeIn(lane.lane, last), limit: page_size + 1 }))
  const items = answers.flatMap(({ lane: { lane }, answer }) => answer.map(item => ({ ...item, lane, at: item.at.toISOString() }))).toSorted(newestFirst)
  const list = items.slice(0, page_size)
  const end = list.at(-1)
  return { list, lanes: lanes.map(({ lane, title }) => ({ lane, title })), unavailable, older: end && items.length > page_size ? `${end.at}/${end.lane}/${end.id}` : null }
}

/** Short lines about a person's day. @throws Refusal 404 for a person the reader may not see */
export async function readToday(pre: Pre, { id }: Input<typeof personPageApi.today>): Promise<Reply<typeof personPageApi.today>> {
  const { me, facets } = await whoAsks(pre, id)
  const { answers, unavailable } = await askLanes(pre, me, openLanes(todayLinePort.all(pre.app), me, facets), (lane, desk) => lane.lines(desk, id))
  return { list: answers.flatMap(({ lane: { lane }, answer }) => answer.map(({ at, text }) => ({ lane, at: at && at.toISOString(), text }))), unavailable }
}

/** What a person opens doors and pays with; who has nothing to tell of him is left out. @throws Refusal 404 for a person the reader may not see */
export async function readCredentials(pre: Pre, { id }: Input<typeof personPageApi.credentials>): Promise<Reply<typeof personPageApi.credentials>> {
  const { me, facets } = await whoAsks(pre, id)
  const { answers, unavailable } = await askLanes(pre, me, openLanes(credentialPort.all(pre.app), me, facets), (lane, desk) => lane.items(desk, id))
  const list = answers.map(({ lane: { lane, title }, answer }) => ({ lane, title, items: answer.map(item => ({ ...item, at: item.at && item.at.toISOString() })) }))
  return { list: list.filter(({ items }) => items.length > 0), unavailable }
}

async function whoAsks(pre: Pre, id: string) {
  const { me, now } = pre
  if (!me) throw fail(commonErrors.notFound)
  const { facets } = await pre.own(me.school_id, (db: Db) => seenPerson({ db, school_id: me.school_id, me, now }, id))
  return { me, facets: facets.map(({ facet }) => facet) }
}

/** Newest first; of the same instant lane after lane, and in a lane the greatest id first. */
export function newestFirst(a: Omit<TimelineItem, 'title'>, b: Omit<TimelineItem, 'title'>): number {
  return order(b.at, a.at) || order(a.lane, b.lane) || order(b.id, a.id)
}

/** Where a lane goes on after the last item that was shown, whatever lane that one was of. */
export function beforeIn(lane: string, last: Place): { at: Date; below: string } {
  const step = order(lane, last.lane)
  return { at: new Date(last.at), below: step < 0 ? '' : step > 0 ? above_all : last.id }
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const [, at, lane, id] = cursor_form.exec(cursor) ?? []
  if (at === undefined || lane === undefined || id === undefined) throw fail(commonErrors.malformed)
  return { at, lane, id }
}
