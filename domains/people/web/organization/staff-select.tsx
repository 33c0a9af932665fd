import { pickerApi } from '@campus/people/contract'
import { call, useCan, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const KEPT_MS = 60_000

type Person = { user_id: string; user_name: string }
type StaffOption = { value: string; label: string; about: string }
type Known = { id?: string; known: readonly Person[]; placeholder?: string; label?: string }

/** Chooses one member of staff at work today, searched by name, pinyin or number. `known` names those who are chosen already. */
export function StaffSelect({ id, known, value, onChange, placeholder, label }: Known & { value?: string | null; onChange?: (user_id: string | null, user_name: string) => void }): ReactNode {
  const shared = useStaff(known, placeholder)
  return <Select<string, StaffOption> id={id} aria-label={label} {...shared} allowClear value={value ?? undefined} onChange={(chosen, option) => onChange?.(chosen ?? null, [option].flat()[0]?.label ?? '')} />
}

/** The same for several. */
export function StaffsSelect({ id, known, value, onChange, placeholder }: Known & { value?: string[]; onChange?: (user_ids: string[]) => void }): ReactNode {
  const shared = useStaff(known, placeholder)
  return <Select<string[], StaffOption> id={id} {...shared} mode="multiple" maxCount={5} value={value ?? []} onChange={chosen => onChange?.(chosen)} />
}

function useStaff(known: readonly Person[], placeholder: string | undefined) {
  const allowed = useCan(pickerApi.teacher)
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const { data = [], isFetching, isError, refetch } = useQuery({
    queryKey: [pickerApi.teacher.call, keyword],
    queryFn: async ({ signal }) => (await call(pickerApi.teacher, { keyword }, { quiet: true, signal })).list,
    enabled: allowed,
    staleTime: KEPT_MS,
  })
  const found = data.map(({ user_id, user_name, user_no, label }) => ({ value: user_id, label: user_name, about: [user_no, label].filter(Boolean).join(' · ') }))
  const others = text === '' ? known.filter(person => found.every(option => option.value !== person.user_id)) : []
  const options = [...others.map(person => ({ value: person.user_id, label: person.user_name, about: '' })), ...found]
  return {
    className: 'kit-fill',
    options,
    loading: isFetching,
    disabled: !allowed,
    placeholder: allowed ? placeholder : '没有选择教职工的权限',
    showSearch: { filterOption: false, onSearch: setText } as const,
    notFoundContent: <span className="org-hint">{isFetching ? '正在查找…' : isError ? '查找失败，重新输入或再次展开可重试' : '没有找到在职教职工'}</span>,
    onOpenChange: (open: boolean) => void (open && isError && refetch()),
    optionRender: (option: { label?: ReactNode; data: StaffOption }) => (
      <span className="org-person">
        {option.label}
        <small>{option.data.about}</small>
      </span>
    ),
  }
}
