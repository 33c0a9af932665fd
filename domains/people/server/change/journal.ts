import type { ArchiveChange, ArchiveRow } from '@campus/audit/server'
import { CHANGE_KIND } from '@campus/people/contract'
import type { ChangeDraft, ChangeKind, ChangePreview } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { oneOf } from '../dated.ts'
import type { Db, PeopleCtx, PeopleDb } from '../db.ts'
import { journalActs } from '../delegate/acted.ts'
import { tellFiles } from '../told.ts'
import type { EffectStep, EffectSubject } from './effect-port.ts'

/** A command that has been given: what was previewed, and what it touched. */
type Given = { draft: ChangeDraft; preview: ChangePreview; command_id: string; touched: readonly EffectSubject[] }
type Side = ChangePreview['subjects'][number]['before']

const ops = { change: 4, undo: 14 } as const
const named_people = 5

/** One archive row per person, and the command in the line of the operation log. */
export async function journalChange(ctx: PeopleCtx, { draft, preview, command_id, touched }: Given): Promise<void> {
  const { kind, effective_on, reason } = draft
  const day = { field: 'effective_on', label: '生效日期', before: null, after: effective_on }
  const rows = preview.subjects.map(({ user_id, user_name, user_no, before, after }): ArchiveRow => {
    const changes = [...sideChanges(kind, before, after), day]
    return { ...personRow(kind, { user_id, user_name, user_no, side: after.dept_id === null ? before : after }), op_type: ops.change, source: 'command', command_id, changes }
  })
  const guardians = await guardianRows(ctx.db, ctx.school_id, command_id, touched)
  await journalActs(ctx, [...rows, ...guardians])
  await tellFiles(ctx, guardians)
  noteCommand(ctx, { command_id, kind, event: `people.change.run:${kind}`, names: preview.subjects.map(one => one.user_name), reason, effective_on })
}

type Noted = { command_id: string; kind: ChangeKind; event: string; names: readonly string[]; reason: string; effective_on: string }

/** The command in the one line of the operation log. */
export function noteCommand(ctx: PeopleCtx, { command_id, kind, event, names, reason, effective_on }: Noted): void {
  const shown = names.slice(0, named_people).join('、')
  const people = names.length > named_people ? `${shown}等${names.length}人` : shown
  const after = { event, effective_on, subject_count: names.length }
  ctx.note({ target_kind: 'people.change', target_id: command_id, target_name: `${CHANGE_KIND.names[kind]}：${people}`, reason, after })
}

function personRow(kind: ChangeKind, { user_id, user_name, user_no, side }: { user_id: string; user_name: string; user_no: string; side: Side }) {
  return { person_kind: facetOf(kind), person_id: user_id, person_no: user_no, person_name: user_name, dept_id: side.dept_id ?? undefined, dept_name: side.dept_name ?? undefined }
}

/** PERSON_KIND of those a command of this kind is about: 1 pupils, 2 staff. */
function facetOf(kind: ChangeKind): 1 | 2 {
  return kind.startsWith('STAFF_') ? 2 : 1
}

function wordOf(kind: ChangeKind): string {
  if (kind === 'LINK') return CHANGE_KIND.names.LINK
  return facetOf(kind) === 1 ? '学籍变动' : '人事变动'
}

function sideChanges(kind: ChangeKind, before: Side, after: Side): ArchiveChange[] {
  const place = before.dept_id === after.dept_id ? [] : [{ field: 'dept_name', label: facetOf(kind) === 1 ? '班级' : '部门', before: before.dept_name, after: after.dept_name }]
  return before.state === after.state ? place : [...place, { field: 'state', label: wordOf(kind), before: null, after: CHANGE_KIND.names[kind] }]
}

/** One archive row for every guardian whose links to these children ended. */
export async function guardianRows(db: Db, school_id: number, command_id: string, touched: readonly EffectSubject[]): Promise<ArchiveRow[]> {
  const ended = touched.flatMap(({ user_id, before }) => (before.rows.guardian_link ?? []).map(link => ({ child: user_id, parent: String(link.parent_user_id) })))
  const names = await namesOf(db, school_id, [...new Set(ended.flatMap(({ child, parent }) => [child, parent]))])
  return [...Map.groupBy(ended, link => link.parent)].map(([parent, links]) => {
    const children = links.map(link => names.get(link.child) ?? '').join('、')
    const changes = [{ field: 'child', label: '孩子', before: children, after: null }]
    return { person_kind: 3, person_id: parent, person_name: names.get(parent) ?? '', op_type: ops.change, source: 'command', command_id, changes }
  })
}

/** A person whom a command concerns: PERSON_KIND 1 pupil, 2 staff, 3 guardian. */
export type Concerned = { person_kind: 1 | 2 | 3; person_id: string; person_name: string }

/** The pupils or staff of a command, and the guardians whose links it ended or made. */
export async function concernedPeople({ db, school_id, subjects, command_id, kind }: EffectStep): Promise<Concerned[]> {
  const own = asTables<PeopleDb>(db)
  const made = await own.selectFrom('guardian_link').select('parent_user_id').where('school_id', '=', school_id).where('command_id', '=', command_id).execute()
  const ended = subjects.flatMap(({ before }) => (before.rows.guardian_link ?? []).map(link => String(link.parent_user_id)))
  const parents = [...new Set([...made.map(link => link.parent_user_id), ...ended])]
  const pupils = subjects.map(subject => subject.user_id)
  const names = await namesOf(own, school_id, [...pupils, ...parents])
  const person = (person_kind: Concerned['person_kind'], person_id: string) => ({ person_kind, person_id, person_name: names.get(person_id) ?? '' })
  return [...pupils.map(id => person(facetOf(kind), id)), ...parents.map(id => person(3, id))]
}

/** One archive row for every person whom a command concerned that was taken back. */
export async function journalUndo(ctx: PeopleCtx, command: { command_id: string; kind: ChangeKind }, people: readonly Concerned[], to: '已取消' | '已撤销'): Promise<void> {
  const changes = [{ field: 'change', label: wordOf(command.kind), before: CHANGE_KIND.names[command.kind], after: to }]
  await journalActs(ctx, people.map(person => ({ ...person, op_type: ops.undo, source: 'undo', command_id: command.command_id, changes })))
}

/** Names of these people as they are. */
async function namesOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('person').select(['user_id', 'user_name']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.user_name]))
}
