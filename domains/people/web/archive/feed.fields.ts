import { archive_sources } from '@campus/audit/contract'
import { FeedRow, registry, registry_props } from '@campus/people/contract'
import { daysFilter, fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'

type FeedField = 'person' | 'field' | 'source' | 'actor' | 'days' | 'batch_no'

const source_names: Readonly<Record<string, string>> = archive_sources
const sources = Object.entries(archive_sources).map(([value, label]) => ({ value, label }))
const of_commands = [{ value: 'dept_name', label: '班级' }, { value: 'state', label: '学籍变动' }, { value: 'parents', label: '家长' }, { value: 'tags', label: '标签' }]
const changed = [...of_commands, ...registry_props.map(value => ({ value, label: registry[value].label }))]

/** Filters of a feed of changes. */
export const feed_fields: Fields<FeedRow, FeedField> = fields(FeedRow, 'log_id', {
  person: { label: '人员', filter: textFilter('person', '姓名/编号') },
  field: { label: '字段', filter: selectFilter('field', changed) },
  source: { label: '来源', filter: selectFilter('source', sources) },
  actor: { label: '操作人', filter: textFilter('actor', '姓名/工号') },
  days: { label: '日期', filter: daysFilter('from', 'to') },
  batch_no: { label: '批次', filter: textFilter('batch_no', '批次号') },
})

export function sourceName(source: string): string {
  return source_names[source] ?? source
}
