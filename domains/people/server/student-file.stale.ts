import { isRegistryProp, peopleErrors, registry } from '@campus/people/contract'
import type { StudentPatch } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { PeopleCtx } from './db.ts'
import type { JudgedExt } from './field/ext.ts'
import type { Values } from './import/read-cells.ts'
import type { PeopleWords } from './import/words.ts'
import { guardiansText } from './student-file.guardians.ts'
import type { FileLink, FilePupil } from './student-file.queries.ts'
import { shown, shownBefore } from './student-file.values.ts'

type Difference = { field: string; label: string; mine?: string; theirs: string }
/** The file as it is now, and what the edit says. */
export type StaleFacts = { known: FilePupil; links: readonly FileLink[]; words: PeopleWords; values: Values; custom: JudgedExt['changes'] }

const most_rows = 20

/**
 * Refuses an edit that was made from an older file, its own or a guardian's (chapter 20 rule 2).
 * @throws Refusal 409 with `data.differences` [{field, label, mine?, theirs}] field by field, `data.changed_by` {user_name, at} and
 *   `data.row_version` of the file as it is now; protected values are masked
 */
export async function refuseStale(ctx: PeopleCtx, patch: StudentPatch, facts: StaleFacts): Promise<void> {
  const { known, links } = facts
  const older = known.row_version - patch.row_version
  const moved = (patch.parents ?? []).flatMap(entry => {
    const link = links.find(one => one.parent_user_id === entry.user_id)
    return entry.row_version !== undefined && link && link.row_version !== entry.row_version ? [link] : []
  })
  if (older === 0 && moved.length === 0) return
  const [first] = moved
  const rows = await lastChanges(ctx, older === 0 && first ? first.parent_user_id : known.user_id, older)
  // A guardian's own fields are no fields of the pupil: together they are 家长.
  const theirs = new Set(older === 0 ? [] : rows.flatMap(row => row.fields))
  if (moved.length > 0 || (patch.parents?.length ?? 0) > 0) theirs.add('parents')
  const [latest] = rows
  const changed_by = latest ? { user_name: latest.user_name ?? '系统', at: latest.happened_at.toISOString() } : null
  throw fail(peopleErrors.staleRow, { data: { differences: differences(patch, facts, theirs), changed_by, row_version: known.row_version } })
}

/** The journal rows of the edits since: one an edit, newest first. */
function lastChanges({ db, school_id }: PeopleCtx, person_id: string, count: number) {
  return db
    .selectFrom('archive_log_v')
    .select(['fields', 'user_name', 'happened_at'])
    .where('school_id', '=', school_id)
    .where('person_id', '=', person_id)
    .orderBy('happened_at', 'desc')
    .orderBy('log_id', 'desc')
    .limit(Math.min(Math.max(count, 1), most_rows))
    .execute()
}

/** What others have changed, beside what this edit says of it; what it says and nobody else touched is no conflict. */
function differences(patch: StudentPatch, { known, links, words, values, custom }: StaleFacts, theirs: ReadonlySet<string>): Difference[] {
  return [...theirs].flatMap((field): Difference[] => {
    if (field === 'parents') return [{ field, label: '家长', mine: minePatch(patch, links, words), theirs: guardiansText(links, words) }]
    const own = custom.find(change => change.field === field)
    if (own) return [{ field, label: own.label, mine: own.after ?? '', theirs: own.before ?? '' }]
    if (!isRegistryProp(field)) return []
    const said = values[field]
    const mine = said === undefined ? undefined : shown(field, said, words)
    return [{ field, label: registry[field].label, mine, theirs: shownBefore(field, known, words) }]
  })
}

/** The guardians as this edit would leave them; undefined when it says nothing of them. */
function minePatch({ parents = [] }: StudentPatch, links: readonly FileLink[], words: PeopleWords): string | undefined {
  if (parents.length === 0) return undefined
  const kept = links.flatMap(link => {
    const entry = parents.find(one => one.user_id === link.parent_user_id)
    return entry?.removed ? [] : [{ user_name: entry?.user_name ?? link.user_name, relation: entry?.relation ?? link.relation }]
  })
  const added = parents.flatMap(({ user_id, user_name, relation }) => (user_id === undefined && user_name && relation ? [{ user_name, relation }] : []))
  return guardiansText([...kept, ...added], words)
}
