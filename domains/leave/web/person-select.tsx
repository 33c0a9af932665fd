import { pickerApi } from '@campus/people/contract'
import type { PickedPerson } from '@campus/people/contract'
import { call, useCan, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type PersonOption = { value: string; label: string; about: string }
const kept_ms = 60_000
type Source = 'student' | 'teacher'

function usePeople(source: Source) {
  const allowed = useCan(pickerApi[source])
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const { data = [], isFetching, isError } = useQuery({
    queryKey: ['leave-person', source, keyword],
    queryFn: async ({ signal }) => (await call(pickerApi[source], { keyword }, { quiet: true, signal })).list,
    enabled: allowed,
    staleTime: kept_ms,
  })
  const nothing = isFetching ? '正在查找…' : isError ? '查找失败，请重新输入' : '没有找到人员'
  return {
    className: 'kit-fill', disabled: !allowed, loading: isFetching, options: data.map(optionOf), optionRender: drawOption, showSearch: { filterOption: false, onSearch: setText } as const,
    placeholder: allowed ? '输入姓名、拼音或编号查找' : '没有选择人员的权限', notFoundContent: <span>{nothing}</span>,
  }
}

/** Chooses one or several pupils at school today; number and class tell namesakes apart. */
export function PupilsSelect({ id, value, onChange, max }: { id?: string; value?: string[]; onChange?: (user_ids: string[]) => void; max: number }): ReactNode {
  const shared = usePeople('student')
  return <Select<string[], PersonOption> id={id} mode="multiple" maxCount={max} maxTagCount={6} {...shared} value={value} onChange={onChange} />
}

/** Chooses one person of a kind. */
export function PersonSelect({ id, value, onChange, source, label }: { id?: string; value?: string; onChange?: (user_id: string) => void; source: Source; label?: string }): ReactNode {
  const shared = usePeople(source)
  return <Select<string, PersonOption> id={id} aria-label={label} {...shared} value={value} onChange={onChange} />
}

function drawOption({ label, data }: { label?: ReactNode; data: PersonOption }): ReactNode {
  return <span>{label} <small className="leave-hint">{data.about}</small></span>
}

function optionOf({ user_id, user_name, user_no, label }: PickedPerson): PersonOption {
  return { value: user_id, label: user_name, about: [user_no, label].filter(Boolean).join(' · ') }
}
