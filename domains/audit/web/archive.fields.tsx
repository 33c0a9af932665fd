import { archive_sources, ArchiveLogRow } from '@campus/audit/contract'
import { dictionaryFilter, dictionaryName, fields, selectFilter, textFilter } from '@kit/web'
import type { Field, Fields } from '@kit/web'
import type { ReactNode } from 'react'
import { ChangeChips } from './change-diff.tsx'
import { op_options, OpTag } from './op-tag.tsx'
import { secondText } from './second-text.ts'

type ArchiveField = 'happened_at' | 'person_kind' | 'person' | 'op_type' | 'field' | 'changes' | 'source' | 'batch_no' | 'operator' | 'dept'

const source_names: Readonly<Record<string, string>> = archive_sources
const sources = Object.entries(archive_sources).map(([value, label]) => ({ value, label }))

/** Fields of a line of the archive journal. */
const archiveFields: Fields<ArchiveLogRow, ArchiveField> = fields(ArchiveLogRow, 'log_id', {
  happened_at: { label: '时间', width: 166, default_action: true, cell: row => <span className="kit-number">{secondText(row.happened_at)}</span> },
  person_kind: { label: '类型', width: 64, filter: dictionaryFilter('person_kind', 'PERSON_KIND'), cell: row => kindName(row) },
  person: { label: '人员', width: 216, filter: textFilter('person', '姓名/编号'), cell: personText },
  dept: { label: '部门', filter: textFilter('dept', '当时的部门') },
  op_type: { label: '操作', width: 72, filter: selectFilter('op_type', op_options), cell: row => <OpTag op_type={row.op_type} /> },
  field: { label: '字段' },
  changes: { label: '变更字段', width: 260, cell: row => <ChangeChips changes={row.changes} /> },
  source: { label: '来源', width: 80, filter: selectFilter('source', sources), cell: row => sourceName(row) },
  batch_no: { label: '批次', width: 84, filter: textFilter('batch', '批次号') },
  operator: { label: '操作人', width: 120, filter: textFilter('operator', '姓名/工号'), cell: operatorText },
})

/** The filter of changed fields offers what changed in the chosen days. */
export function withFieldFilter(options: readonly { field: string; label: string }[]): Fields<ArchiveLogRow, ArchiveField> {
  const field: Field<ArchiveLogRow> = { label: '字段', filter: selectFilter('field', options.map(one => ({ value: one.field, label: one.label }))) }
  return { ...archiveFields, of: { ...archiveFields.of, field } }
}

/** Kind of the person in words. */
export function kindName({ person_kind }: Pick<ArchiveLogRow, 'person_kind'>): string {
  return dictionaryName('PERSON_KIND', String(person_kind))
}

/** Where a change came from, in words. */
export function sourceName({ source }: Pick<ArchiveLogRow, 'source'>): string {
  return source_names[source] ?? source
}

function personText({ person_name, person_no, dept_name }: ArchiveLogRow): ReactNode {
  const facts = [person_no, dept_name].filter(fact => fact !== null && fact !== '')
  return (
    <>
      {person_name}
      {facts.length > 0 && <span className="audit-role">{facts.join(' · ')}</span>}
    </>
  )
}

function operatorText({ user_name, role_name }: ArchiveLogRow): ReactNode {
  if (user_name === null) return <span className="audit-quiet">系统</span>
  return (
    <>
      {user_name}
      {role_name !== null && <span className="audit-role">{role_name}</span>}
    </>
  )
}
