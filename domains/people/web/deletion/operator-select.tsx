import { pickerApi } from '@campus/people/contract'
import type { DeleteSettings } from '@campus/people/contract'
import { call, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { known: DeleteSettings['operators']; id?: string; value?: string[]; onChange?: (user_ids: string[]) => void }

/** Staff who may delete. */
export function OperatorSelect({ known, id, value = [], onChange }: Props): ReactNode {
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const found = useQuery({
    queryKey: [pickerApi.teacher.call, keyword],
    queryFn: ({ signal }) => call(pickerApi.teacher, { keyword }, { signal, quiet: true }),
    enabled: keyword !== '',
  })
  const options = new Map(known.map(one => [one.user_id, one.user_name]))
  for (const one of found.data?.list ?? []) options.set(one.user_id, `${one.user_name}（${one.user_no}）`)
  return (
    <Select
      id={id}
      mode="multiple"
      aria-label="可处理删除的人员"
      className="kit-fill"
      placeholder="输入姓名或工号查找"
      showSearch={{ filterOption: false, onSearch: setText }}
      value={value}
      options={[...options].map(([key, label]) => ({ value: key, label }))}
      onChange={onChange}
    />
  )
}
