import type { FilterControl } from '@kit/web'
import { useCan, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { remark_choices_key } from './remark-choice.ts'
import type { RemarkChoice } from './remark-choice.ts'

const kept_ms = 60_000
const none: readonly RemarkChoice[] = []
/** The code rather than the endpoint: the contract is fetched with the choices, after the roll. */
const view_code = 'people.dept.view'

/** The remarks that the roll filters by. */
export function useRemarkChoices(): readonly RemarkChoice[] {
  const { active } = usePage()
  const allowed = useCan(view_code)
  const { data = none } = useQuery({ queryKey: [remark_choices_key], queryFn: async () => (await import('./read-choices.ts')).readChoices(), enabled: active && allowed, staleTime: kept_ms })
  return data
}

/** Whose class has a chosen value of a remark, or none. */
export function remarkFilter(choices: readonly RemarkChoice[]): FilterControl {
  const groups = choices.map(({ id, label, options }) => ({
    label,
    options: [...options.map(option => ({ value: `${id}:${option}`, label: `${label}：${option}` })), { value: `${id}:`, label: `${label}：未填` }],
  }))
  const said = ({ remark_field, remark_value = '' }: Readonly<Record<string, string | undefined>>) => (remark_field === undefined ? undefined : `${remark_field}:${remark_value}`)
  return {
    names: ['remark_field', 'remark_value'],
    text: values => groups.flatMap(group => group.options).find(option => option.value === said(values))?.label ?? values.remark_value,
    Input: ({ id, values, change }) => (
      <Select id={id} className="kit-fill" allowClear placeholder="全部" showSearch={{ optionFilterProp: 'label' }} options={groups} value={said(values)} onChange={(chosen?: string) => change(asked(chosen))} />
    ),
  }
}

function asked(chosen: string | undefined): { remark_field: string | undefined; remark_value: string | undefined } {
  const [remark_field, remark_value] = chosen?.split(/:(.*)/s) ?? []
  return { remark_field, remark_value: remark_value || undefined }
}
