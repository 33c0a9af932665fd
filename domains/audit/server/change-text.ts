import { field_names } from '@campus/audit/contract'
import type { FieldChange } from '@campus/audit/contract'
import { z } from 'zod'

const Changes = z.array(z.object({ field: z.string(), label: z.string(), before: z.unknown(), after: z.unknown() }))
const Side = z.record(z.string(), z.unknown()).nullable()

/** A value as people read it; null for none. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.map(part => valueText(part) ?? '').join('、') || null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Changes of an archive line as the wire shows them. */
export function archiveChanges(changes: unknown): FieldChange[] {
  return Changes.parse(changes).map(({ field, label, before, after }) => ({ field, label, before: valueText(before), after: valueText(after) }))
}

/** Both sides of an operation as changes of fields, without those that are empty before and after; `labels` are the words that the archive lines of the same request use. */
export function operationChanges(before: unknown, after: unknown, labels: ReadonlyMap<string, string>): FieldChange[] {
  const [old, fresh] = [Side.parse(before) ?? {}, Side.parse(after) ?? {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
  return names
    .map(field => ({ field, label: labels.get(field) ?? field_names[field] ?? field, before: valueText(old[field]), after: valueText(fresh[field]) }))
    .filter(change => change.before !== null || change.after !== null)
}
