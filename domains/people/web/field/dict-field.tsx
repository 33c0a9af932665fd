import { dictionaryEditApi } from '@campus/school/contract'
import { call, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import type { ReactNode } from 'react'

/** 字典: where a field of one choice takes its options from, for whoever may read the dictionaries; once somebody has a value it stays. */
export function DictField({ shown, used }: { shown: boolean; used: boolean }): ReactNode {
  const may_read = useCan(dictionaryEditApi.types)
  const wanted = shown && may_read
  const { data } = useQuery({ queryKey: [dictionaryEditApi.types.call], queryFn: async ({ signal }) => (await call(dictionaryEditApi.types, {}, { signal, quiet: true })).list, enabled: wanted })
  const options = (data ?? []).map(({ sc_code_type, title }) => ({ value: sc_code_type, label: title }))
  return (
    <Form.Item name="dict_code" label="字典" hidden={!wanted} extra="选用学校字典后不再填写选项，字典改名时自动更新">
      <Choice options={options} loading={wanted && data === undefined} disabled={used} />
    </Form.Item>
  )
}

type ChoiceProps = { id?: string; value?: string | null; onChange?: (value: string | null) => void; options: { value: string; label: string }[]; loading: boolean; disabled: boolean }

function Choice({ id, value, onChange, ...look }: ChoiceProps): ReactNode {
  return <Select id={id} allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="不使用字典" value={value || undefined} onChange={(code?: string) => onChange?.(code ?? null)} {...look} />
}
