import { quitApi } from '@campus/people/contract'
import { call, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

/** Chooses staff who left, searched by name or number. */
export function GoneSelect({ id, value, onChange }: { id?: string; value?: string[]; onChange?: (user_ids: string[]) => void }): ReactNode {
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const found = useQuery({
    queryKey: [quitApi.page.call, 'staff', keyword],
    queryFn: async ({ signal }) => (await call(quitApi.page, { kind: 'staff', keyword: keyword || undefined, page_size: 50 }, { quiet: true, signal })).list,
  })
  const options = (found.data ?? []).map(row => ({ value: row.user_id, label: `${row.user_name}（${row.user_no}） ${row.left_on} 离职` }))
  return (
    <Select
      id={id} className="kit-fill" mode="multiple" placeholder="姓名/工号" options={options} value={value ?? []} loading={found.isFetching}
      showSearch={{ filterOption: false, onSearch: setText }} onChange={chosen => onChange?.(chosen)}
      notFoundContent={found.isFetching ? '正在查找…' : found.isError ? '查找失败，重新输入可重试' : '没有找到离职人员'}
    />
  )
}
