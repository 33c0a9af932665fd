import { pickerApi } from '@campus/people/contract'
import { call, useCan, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const kept_ms = 60_000

/** Chooses one pupil at school today by name or number. */
export function PupilSelect({ id, value, onChange }: { id?: string; value?: string; onChange?: (user_id: string) => void }): ReactNode {
  const allowed = useCan(pickerApi.student)
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const { data = [], isFetching } = useQuery({
    queryKey: ['teaching-pupil', keyword], enabled: allowed, staleTime: kept_ms,
    queryFn: async ({ signal }) => (await call(pickerApi.student, { keyword }, { quiet: true, signal })).list,
  })
  const options = data.map(({ user_id, user_name, user_no, label }) => ({ value: user_id, label: [user_name, user_no, label]
    .filter(Boolean).join(' · ') }))
  return (
    <Select
      id={id} disabled={!allowed} loading={isFetching} options={options} value={value} onChange={onChange} showSearch={{ filterOption: false, onSearch: setText }}
      placeholder={allowed ? '输入姓名、拼音或学号查找' : '没有选择学生的权限'} notFoundContent={isFetching ? '正在查找…' : '没有找到学生'}
    />
  )
}
