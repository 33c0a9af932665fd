import { most_tags, peopleErrors, sensitive_tag_code, TagRow } from '@campus/people/contract'
import type { tagApi, TagRule } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { requireDept } from './dept.service.ts'
import { deptScope } from './scope.ts'
import { countPupils } from './student.queries.ts'
import { countTagged, oneTag, readTags, wasUsed } from './tag.queries.ts'
import type { Seen, TagRecord } from './tag.queries.ts'
import { ruleFilter, ruleOf } from './tag.rule.ts'

/** Whom the acting identity may see today. */
export async function seenBy(ctx: PeopleCtx): Promise<Seen> {
  const on = schoolDay(ctx.now)
  return { school_id: ctx.school_id, on, student: await deptScope(ctx, 'student', on), staff: await deptScope(ctx, 'staff', on) }
}

/** The tags in order, archived ones last, each with how many of the people the reader may see have it today. */
export async function listTags(ctx: PeopleCtx): Promise<Reply<typeof tagApi.list>> {
  const seen = await seenBy(ctx)
  const tags = await readTags(ctx.db, ctx.school_id, ctx.me.codes.has(sensitive_tag_code))
  const by_hand = await countTagged(ctx.db, seen)
  const list: TagRow[] = []
  for (const tag of tags) {
    const rule = ruleOf(tag)
    list.push(TagRow.parse({ ...tag, rule, count: rule ? await countRule(ctx, seen, rule) : (by_hand.get(tag.id) ?? 0) }))
  }
  return { list }
}

/** How many of the pupils the reader may see a rule finds today. */
export async function countRule(ctx: PeopleCtx, { student, on }: Pick<Seen, 'student' | 'on'>, rule: TagRule): Promise<number> {
  const filter = await ruleFilter(ctx, student, rule, on)
  return filter ? countPupils(ctx.db, filter) : 0
}

/** @throws Refusal 404 for a department of another school, 403 for a sensitive tag without its code, 409 for a taken name */
export async function addTag(ctx: PeopleCtx, draft: Input<typeof tagApi.add>): Promise<Reply<typeof tagApi.add>> {
  const { db, school_id, me } = ctx
  ctx.scoped()
  refuseSensitive(ctx, draft.is_sensitive)
  await requireDept(ctx, draft.rule?.dept_id)
  const tags = await readTags(db, school_id, true)
  if (tags.length >= most_tags) throw fail(peopleErrors.tagTooMany)
  const { rule, ...look } = draft
  const order_no = Math.max(0, ...tags.map(tag => tag.order_no)) + 1
  const made = await db
    .insertInto('tag')
    .values({ school_id, ...look, kind: rule ? 'rule' : 'manual', rule: rule ? JSON.stringify(rule) : null, order_no, created_by: me.user_id })
    .returning(['id', 'row_version'])
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'people.tag', target_id: made.id, target_name: draft.tag_name, after: draft })
  return made
}

/** @throws Refusal 404, 403 for sensitive tags, 409 staleRow or a taken name, 422 a rule for a tag given by hand */
export async function updateTag(ctx: PeopleCtx, { id, row_version, ...patch }: Input<typeof tagApi.update>): Promise<Reply<typeof tagApi.update>> {
  const { db, school_id } = ctx
  const tag = await requireTag(ctx, id)
  if (tag.row_version !== row_version) throw fail(peopleErrors.staleRow)
  refuseSensitive(ctx, patch.is_sensitive ?? false)
  if (patch.rule && tag.kind === 'manual') throw fail(peopleErrors.tagByRule)
  await requireDept(ctx, patch.rule?.dept_id)
  const { rule, ...look } = patch
  const saved = await db
    .updateTable('tag')
    .set({ ...look, ...(rule ? { rule: JSON.stringify(rule) } : {}), row_version: sql`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('id', '=', id)
    .returning(['id', 'row_version'])
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'people.tag', target_id: id, target_name: patch.tag_name ?? tag.tag_name, before: sideOf(tag, patch), after: patch })
  return saved
}

/** Puts the named tags in this order, before all others. */
export async function sortTags(ctx: PeopleCtx, { ids }: Input<typeof tagApi.sort>): Promise<Reply<typeof tagApi.sort>> {
  const { db, school_id, me } = ctx
  ctx.scoped()
  const tags = await readTags(db, school_id, me.codes.has(sensitive_tag_code))
  if (ids.some(id => !tags.some(tag => tag.id === id))) throw fail(commonErrors.notFound)
  await sql`update tag t set order_no = array_position(${ids}::bigint[], t.id) where t.school_id = ${school_id} and t.id = any(${ids}::bigint[])`.execute(db)
  await sql`update tag t set order_no = t.order_no + ${ids.length} where t.school_id = ${school_id} and not t.id = any(${ids}::bigint[])`.execute(db)
  ctx.note({ target_kind: 'people.tag', target_name: '标签顺序', after: { ids } })
  return { ids }
}

/** Removes a tag that was never on anybody; one that was can only be archived. */
export async function removeTag(ctx: PeopleCtx, { id }: Input<typeof tagApi.remove>): Promise<Reply<typeof tagApi.remove>> {
  const { db, school_id } = ctx
  const tag = await requireTag(ctx, id)
  if (await wasUsed(db, school_id, id)) throw fail(peopleErrors.tagInUse)
  await db.deleteFrom('tag').where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'people.tag', target_id: id, target_name: tag.tag_name })
  return { id }
}

/**
 * A tag to read, or with `lock` to change or to give.
 * @throws Refusal 404 for a tag of another school, and for a sensitive one without its code
 */
export async function requireTag(ctx: PeopleCtx, id: string, use: 'read' | 'lock' = 'lock'): Promise<TagRecord> {
  ctx.scoped()
  const tag = await oneTag(ctx.db, { school_id: ctx.school_id, id, lock: use === 'lock' })
  if (!tag || (tag.is_sensitive && !ctx.me.codes.has(sensitive_tag_code))) throw fail(commonErrors.notFound)
  return tag
}

function refuseSensitive({ me }: PeopleCtx, is_sensitive: boolean): void {
  if (is_sensitive && !me.codes.has(sensitive_tag_code)) throw fail(commonErrors.forbidden)
}

function sideOf(tag: TagRecord, patch: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tag).filter(([name]) => name in patch))
}
