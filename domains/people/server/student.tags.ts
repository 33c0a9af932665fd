import { sensitive_tag_code, TagMark } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isIn, oneOf, validOn } from './dated.ts'
import type { RosterDesk } from './student.filter.ts'
import { isPupil } from './student.queries.ts'
import { marksOf, readTags } from './tag.queries.ts'
import type { TagRecord } from './tag.queries.ts'
import { ruleFilter, ruleOf } from './tag.rule.ts'

/** The tags of these pupils on a day, those of rules too; sensitive ones only for those who may know of them. */
export async function tagsOf(desk: RosterDesk, user_ids: readonly string[], on: string): Promise<ReadonlyMap<string, TagMark[]>> {
  if (user_ids.length === 0) return new Map()
  const tags = await shownTags(desk)
  if (tags.length === 0) return new Map()
  const by_hand = Map.groupBy(await marksOf(desk.db, desk.school_id, user_ids, on), mark => mark.id)
  const marks = new Map<string, TagMark[]>()
  for (const tag of tags) {
    const having = tag.kind === 'rule' ? await foundAmong(desk, tag, user_ids, on) : (by_hand.get(tag.id) ?? []).map(mark => mark.user_id)
    for (const user_id of having) marks.set(user_id, [...(marks.get(user_id) ?? []), TagMark.parse(tag)])
  }
  return marks
}

/** Has the pupil `s` one of these tags on the day? Tags that the reader must not know of are nobody's. */
export async function hasTag(desk: RosterDesk, tag_ids: readonly string[], on: string): Promise<RawBuilder<boolean>> {
  const asked = (await shownTags(desk)).filter(tag => tag_ids.includes(tag.id))
  const by_hand = asked.filter(tag => tag.kind === 'manual').map(tag => tag.id)
  const linked = sql`select k.user_id from tag_link k where k.school_id = ${desk.school_id} and ${oneOf('k.tag_id', by_hand)} and ${validOn('k', on)}`
  const ways = [isIn('s.user_id', linked)]
  for (const tag of asked) {
    const rule = ruleOf(tag)
    const filter = rule && (await ruleFilter(desk, 'all', rule, on))
    if (filter) ways.push(isPupil(desk.db, 's.user_id', filter))
  }
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

/** The tags in use that the reader may know of. */
export async function shownTags({ db, school_id, me }: RosterDesk): Promise<TagRecord[]> {
  return (await readTags(db, school_id, me.codes.has(sensitive_tag_code))).filter(tag => !tag.archived)
}

/** Which of these pupils a rule finds; the list has already asked whether the reader may see them. */
async function foundAmong(desk: RosterDesk, tag: TagRecord, user_ids: readonly string[], on: string): Promise<string[]> {
  const rule = ruleOf(tag)
  const filter = rule && (await ruleFilter(desk, 'all', rule, on))
  if (!filter) return []
  const rows = await desk.db
    .selectFrom('person as q')
    .select('q.user_id')
    .where('q.school_id', '=', desk.school_id)
    .where(oneOf('q.user_id', user_ids))
    .where(isPupil(desk.db, 'q.user_id', { ...filter, among: user_ids }))
    .execute()
  return rows.map(row => row.user_id)
}
