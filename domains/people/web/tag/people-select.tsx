import type { PickedPerson, pickerApi } from '@campus/people/contract'
import { call, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const kept_ms = 60_000
type PersonOption = { value: string; label: string; about: string }
type Source = typeof pickerApi.student | typeof pickerApi.teacher

/** Chooses several people, searched by name, pinyin or number; number and class tell namesakes apart. */
export function PeopleSelect({ from, value, onChange }: { from: readonly Source[]; value: string[]; onChange: (user_ids: string[]) => void }): ReactNode {
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const { data = [], isFetching, isError } = useQuery({
    queryKey: ['people-select', ...from.map(source => source.call), keyword],
    queryFn: async ({ signal }) => {
      const parts = await Promise.all(from.map(source => call(source, { keyword }, { quiet: true, signal })))
      return parts.flatMap(part => part.list)
    },
    enabled: keyword !== '',
    staleTime: kept_ms,
  })
  const found = keyword === '' ? [] : data
  const kept = value.filter(id => found.every(person => person.user_id !== id)).map(id => ({ value: id, label: names.get(id) ?? id, about: '' }))
  const choose = (ids: string[]) => {
    setNames(new Map([...names, ...data.map(person => [person.user_id, person.user_name] as const)]))
    onChange(ids)
  }
  return (
    <Select<string[], PersonOption>
      className="kit-fill" mode="multiple" aria-label="查找人员" placeholder="输入姓名、拼音或编号查找" maxCount={200} value={value} onChange={choose}
      showSearch={{ filterOption: false, onSearch: setText }} loading={isFetching}
      options={[...kept, ...found.map(optionOf)]} optionRender={drawOption}
      notFoundContent={<span className="tag-hint">{keyword === '' ? '输入姓名、拼音或编号' : isFetching ? '正在查找…' : isError ? '查找失败，请重新输入' : '没有找到'}</span>}
    />
  )
}

function drawOption({ label, data }: { label?: ReactNode; data: PersonOption }): ReactNode {
  return <span>{label} <small className="tag-hint">{data.about}</small></span>
}

function optionOf({ user_id, user_name, user_no, label }: PickedPerson): PersonOption {
  return { value: user_id, label: user_name, about: [user_no, label].filter(Boolean).join(' · ') }
}
