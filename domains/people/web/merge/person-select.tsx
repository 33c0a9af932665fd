import { parentApi, pickerApi } from '@campus/people/contract'
import type { MergeKind } from '@campus/people/contract'
import { call, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Option = { value: string; label: string; about: string }
type Props = { kind: MergeKind; label: string; known?: string | undefined; id?: string; value?: string; onChange?: (user_id: string) => void }

/** Chooses one person by name, pinyin, number or mobile; number and class or children tell namesakes apart. */
export function PersonSelect({ kind, label, known, id, value, onChange }: Props): ReactNode {
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const { data = [], isFetching, isError } = useQuery({
    queryKey: ['merge-person', kind, keyword],
    queryFn: ({ signal }) => found(kind, keyword, signal),
    enabled: keyword !== '',
  })
  const options = keyword === '' ? [] : data
  const kept = value !== undefined && value === known && options.every(option => option.value !== value) ? [{ value, label: '号码的登记人', about: '' }] : []
  return (
    <Select<string, Option>
      {...(id === undefined ? {} : { id })} className="kit-fill" aria-label={label} placeholder="输入姓名、拼音、编号或手机号查找" value={value ?? null} onChange={next => onChange?.(next)}
      showSearch={{ filterOption: false, onSearch: setText }} loading={isFetching} options={[...kept, ...options]} optionRender={drawOption}
      notFoundContent={<span className="merge-hint">{keyword === '' ? '输入姓名、拼音、编号或手机号' : isFetching ? '正在查找…' : isError ? '查找失败，请重新输入' : '没有找到'}</span>}
    />
  )
}

function drawOption({ label, data }: { label?: ReactNode; data: Option }): ReactNode {
  return <span>{label} <small className="merge-hint">{data.about}</small></span>
}

async function found(kind: MergeKind, keyword: string, signal: AbortSignal): Promise<Option[]> {
  const quiet = { quiet: true, signal }
  if (kind === 'parent') {
    const { list } = await call(parentApi.list, { keyword, page_index: 1, page_size: 20 }, quiet)
    return list.map(({ user_id, user_name, mobile, children }) => ({ value: user_id, label: user_name, about: [mobile, ...children.map(child => child.user_name)].filter(Boolean).join(' · ') }))
  }
  const { list } = await call(kind === 'student' ? pickerApi.student : pickerApi.teacher, { keyword }, quiet)
  return list.map(({ user_id, user_name, user_no, label }) => ({ value: user_id, label: user_name, about: [user_no, label].filter(Boolean).join(' · ') }))
}
