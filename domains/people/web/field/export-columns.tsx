import { ExtName } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { sentenceOf } from '@kit/web'
import { Alert, Button, Checkbox } from 'antd'
import type { ReactNode } from 'react'
import { useFields } from './use-fields.ts'

type Props = { facet: FieldFacet; left_out: readonly string[]; onChange: (left_out: string[]) => void }

/** The school's own fields among the columns of an export: all of them but those in `left_out`, by `ext.<code>`. */
export function OwnColumns({ facet, left_out, onChange }: Props): ReactNode {
  const { data, error, refetch } = useFields(facet)
  const options = (data ?? []).filter(field => field.in_export && !field.archived).map(({ field_code, label }) => ({ value: `ext.${field_code}`, label }))
  if (error && !data) return <Alert type="warning" showIcon title={`自定义字段加载失败：${sentenceOf(error)}`} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />
  if (options.length === 0) return null
  const names = options.map(option => option.value)
  return <Checkbox.Group className="people-export" options={options} value={names.filter(name => !left_out.includes(name))} onChange={chosen => onChange(names.filter(name => !chosen.includes(name)))} />
}

/** The names of the own columns to ask for. */
export function useOwnColumns(facet: FieldFacet | null, left_out: readonly string[]) {
  const { data } = useFields(facet ?? 'student', { enabled: facet !== null })
  const fields = facet === null ? [] : (data ?? [])
  return fields.flatMap(field => (field.in_export && !field.archived ? [ExtName.parse(`ext.${field.field_code}`)] : [])).filter(name => !left_out.includes(name))
}
