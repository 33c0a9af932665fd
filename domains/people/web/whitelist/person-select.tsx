import { pickerApi } from '@campus/people/contract'
import type { PickedPerson } from '@campus/people/contract'
import { call, useCan, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type PersonOption = { value: string; label: string; about: string }
const kept_ms = 60_000

/** Chooses one pupil or member of staff at school today, searched by name, pinyin or number; number and class tell namesakes apart. */
export function PersonSelect({ id, value, onChange }: { id?: string; value?: string; onChange?: (user_id: string | undefined) => void }): ReactNode {
  const allowed = useCan(pickerApi.student)
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const { data = [], isFetching, isError } = useQuery({
    queryKey: ['whitelist-person', keyword],
    queryFn: async ({ signal }) => (await Promise.all([pickerApi.student, pickerApi.teacher].map(source => call(source, { keyword }, { quiet: true, signal })))).flatMap(part => part.list),
    enabled: keyword !== '' && allowed,
    staleTime: kept_ms,
  })
  const nothing = keyword === '' ? '输入姓名、拼音或编号' : isFetching ? '正在查找…' : isError ? '查找失败，请重新输入' : '没有找到在校人员'
  return (
    <Select<string, PersonOption>
      id={id} className="kit-fill" allowClear disabled={!allowed} placeholder={allowed ? '输入姓名、拼音、学号或工号查找' : '没有选择人员的权限'} value={value} onChange={onChange}
      showSearch={{ filterOption: false, onSearch: setText }} loading={isFetching} options={data.map(optionOf)} optionRender={drawOption}
      notFoundContent={<span className="money-hint">{nothing}</span>}
    />
  )
}

function drawOption({ label, data }: { label?: ReactNode; data: PersonOption }): ReactNode {
  return <span>{label} <small className="money-hint">{data.about}</small></span>
}

function optionOf({ user_id, user_name, user_no, label }: PickedPerson): PersonOption {
  return { value: user_id, label: user_name, about: [user_no, label].filter(Boolean).join(' · ') }
}
