import type { FieldFacet } from '@campus/people/contract'
import type { FilterControl } from '@kit/web'
import { usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { FieldChoice } from './field-choice.ts'

const kept_ms = 60_000
const none: readonly FieldChoice[] = []
/** Names the kept answer; 字段设置 forgets it after a change. */
export const choices_key = 'field-choices'

/** The custom fields the list of a facet offers; their contract is fetched after the list. */
export function useFieldChoices(facet: FieldFacet): readonly FieldChoice[] {
  const { active } = usePage()
  const { data = none } = useQuery({ queryKey: [choices_key, facet], queryFn: async () => (await import('./read-choices.ts')).readChoices(facet), enabled: active, staleTime: kept_ms })
  return data
}

/** One column for each. */
export function fieldColumns(choices: readonly FieldChoice[]) {
  return choices.map(({ field_code, label }) => ({ prop: `ext.${field_code}`, label, width: 104, cell: (row: { ext: Readonly<Record<string, string>> }) => row.ext[field_code] ?? '' }))
}

/** Who has a chosen value of a field, or nothing in it. */
export function fieldFilter(choices: readonly FieldChoice[]): FilterControl {
  const groups = choices.map(({ field_code, label, options }) => ({
    label,
    options: [...options.map(option => ({ value: `${field_code}:${option}`, label: `${label}：${option}` })), { value: `${field_code}:`, label: `${label}：未填` }],
  }))
  return {
    names: ['ext'],
    text: values => groups.flatMap(group => group.options).find(option => option.value === values.ext)?.label ?? values.ext,
    Input: ({ id, values, change }) => (
      <Select id={id} className="kit-fill" allowClear placeholder="全部" showSearch={{ optionFilterProp: 'label' }} options={groups} value={values.ext} onChange={(ext?: string) => change({ ext })} />
    ),
  }
}
