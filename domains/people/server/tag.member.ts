import type { ArchiveRow } from '@campus/audit/server'
import { peopleErrors, peopleEvents } from '@campus/people/contract'
import type { tagApi, TagMember } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { chunks } from './bulk.ts'
import type { PeopleCtx } from './db.ts'
import { journalActs } from './delegate/acted.ts'
import { labelsOn } from './dept.service.ts'
import { pagePupils } from './student.queries.ts'
import { linkTag, pageTagged, unlinkTag, visiblePeople } from './tag.queries.ts'
import type { Seen, TagRecord } from './tag.queries.ts'
import { ruleFilter, ruleOf } from './tag.rule.ts'
import { requireTag, seenBy } from './tag.service.ts'

const edited = 4
/** What the archive says of a tag that not everybody may know of. */
const hidden_name = '敏感标签'

/** The people of a tag whom the reader may see, by number. */
export async function listMembers(ctx: PeopleCtx, { id, page_index, page_size }: Input<typeof tagApi.members> & { id: string }): Promise<Reply<typeof tagApi.members>> {
  const tag = await requireTag(ctx, id, 'read')
  const seen = await seenBy(ctx)
  const rule = ruleOf(tag)
  if (rule) {
    const filter = await ruleFilter(ctx, seen.student, rule, seen.on)
    if (!filter) return { list: [], total: 0 }
    const { rows, total } = await pagePupils(ctx.db, filter, 'student_no', { page_index, page_size })
    const people = rows.map(row => ({ user_id: row.user_id, person_kind: 1, user_name: row.user_name, user_no: row.student_no, dept_id: row.dept_id, tagged_on: null }))
    return { list: await labelled(ctx, seen, people), total }
  }
  const read = (limit: number, offset: number) => pageTagged(ctx.db, seen, tag, { limit, offset })
  const rows = await read(page_size, (page_index - 1) * page_size)
  const people = rows.map(({ user_id, person_kind, user_name, user_no, label_dept_id, tagged_on }) => ({ user_id, person_kind, user_name, user_no, dept_id: label_dept_id, tagged_on }))
  return { list: await labelled(ctx, seen, people), total: await pageTotal(rows, page_index, () => read(1, 0)) }
}

type Unlabelled = Omit<TagMember, 'label'> & { dept_id: string | null }

async function labelled(ctx: PeopleCtx, { on }: Seen, people: readonly Unlabelled[]): Promise<TagMember[]> {
  const labels = await labelsOn(ctx, people.flatMap(person => person.dept_id ?? []), on)
  return people.map(({ dept_id, ...person }) => ({ ...person, label: dept_id === null ? '' : (labels.get(dept_id) ?? '') }))
}

/**
 * Gives people a tag from today on; who has it keeps it.
 * @throws Refusal 404 for anybody outside school or scope, 409 tagArchived, 422 tagByRule, tagKind
 */
export async function bindTag(ctx: PeopleCtx, asked: Input<typeof tagApi.bind>): Promise<Reply<typeof tagApi.bind>> {
  const tag = await requireTag(ctx, asked.id)
  if (tag.archived) throw fail(peopleErrors.tagArchived)
  const seen = await seenBy(ctx)
  const people = await requirePeople(ctx, seen, tag, asked.user_ids)
  const changed = await linkTag(ctx.db, seen, tag.id, people.map(person => person.user_id))
  return journal(ctx, tag, people.filter(person => changed.includes(person.user_id)), { before: null, after: shownName(tag) })
}

/** Takes a tag away from people as of today; who has none is left as he is. */
export async function unbindTag(ctx: PeopleCtx, asked: Input<typeof tagApi.unbind>): Promise<Reply<typeof tagApi.unbind>> {
  const tag = await requireTag(ctx, asked.id)
  const seen = await seenBy(ctx)
  const people = await requirePeople(ctx, seen, tag, asked.user_ids)
  const changed = await unlinkTag(ctx.db, seen, tag.id, people.map(person => person.user_id))
  return journal(ctx, tag, people.filter(person => changed.includes(person.user_id)), { before: shownName(tag), after: null })
}

type Person = Awaited<ReturnType<typeof visiblePeople>>[number]

/** The people as those whom the tag is for; a teacher who is a parent counts as what the tag asks. */
async function requirePeople(ctx: PeopleCtx, seen: Seen, tag: TagRecord, user_ids: readonly string[]): Promise<Person[]> {
  if (tag.kind === 'rule') throw fail(peopleErrors.tagByRule)
  const asked = new Set(user_ids)
  const people = await visiblePeople(ctx.db, seen, [...asked])
  if (new Set(people.map(person => person.user_id)).size < asked.size) throw fail(commonErrors.notFound)
  const fitting = new Map(people.filter(person => tag.person_kinds.includes(person.person_kind)).map(person => [person.user_id, person]))
  if (fitting.size < asked.size) throw fail(peopleErrors.tagKind)
  return [...fitting.values()]
}

/** One archive row for each person whom it changed. */
async function journal(ctx: PeopleCtx, tag: TagRecord, people: readonly Person[], side: { before: string | null; after: string | null }): Promise<{ changed: number }> {
  const rows = people.map(({ user_id, person_kind, user_name, user_no, label_dept_id }): ArchiveRow => {
    const person = { person_kind, person_id: user_id, person_no: user_no, person_name: user_name, dept_id: label_dept_id ?? undefined }
    return { ...person, op_type: edited, source: 'typed', changes: [{ field: 'tags', label: '标签', ...side }] }
  })
  if (rows.length > 0) await journalActs(ctx, rows)
  for (const part of chunks(people)) await publish(ctx, peopleEvents.tagChanged, { tag_id: tag.id, user_ids: part.map(person => person.user_id) })
  ctx.note({ target_kind: 'people.tag', target_id: tag.id, target_name: shownName(tag), after: { changed: people.length } })
  return { changed: people.length }
}

function shownName({ is_sensitive, tag_name }: TagRecord): string {
  return is_sensitive ? hidden_name : tag_name
}
