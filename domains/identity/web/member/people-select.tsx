import { memberApi } from '@campus/identity/contract'
import { call, useSettled } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const most_at_once = 20

type PersonOption = { value: string; label: string; about: string }
export type ChosenPerson = { value: string; label: ReactNode }
type Found = { user_id: string; user_name: string; user_no: string; dept_name: string | null }
/** Where the people come from; `key` tells one source from another. */
type Source = { key: string; find: (keyword: string, signal: AbortSignal) => Promise<readonly Found[]> }
type Props = { id?: string; value?: ChosenPerson[]; onChange?: (people: ChosenPerson[]) => void; source?: Source }

const whole_school: Source = { key: 'people', find: async (keyword, signal) => (await call(memberApi.list, { keyword, page_index: 1, page_size: most_at_once }, { quiet: true, signal })).list }

/** Chooses people, of the whole school where no other source is named: searched by name, pinyin, number or the end of the mobile number. */
export function PeopleSelect({ id, value, onChange, source = whole_school }: Props): ReactNode {
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const { data = [], isFetching, isError } = useQuery({
    queryKey: [memberApi.list.call, source.key, keyword],
    queryFn: ({ signal }) => source.find(keyword, signal),
  })
  const options = data.map(({ user_id, user_name, user_no, dept_name }) => ({ value: user_id, label: user_name, about: [user_no, dept_name].filter(Boolean).join(' · ') }))
  return (
    <Select<ChosenPerson[], PersonOption>
      id={id}
      className="kit-fill"
      mode="multiple"
      labelInValue
      options={options}
      loading={isFetching}
      placeholder="输入姓名、拼音、编号或手机尾号查找"
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent={<span className="role-small">{isFetching ? '正在查找…' : isError ? '查找失败，请重新输入' : '没有找到符合的人员'}</span>}
      optionRender={optionText}
      value={value ?? []}
      onChange={people => onChange?.(people)}
    />
  )
}

function optionText({ data: { label, about } }: { data: PersonOption }): ReactNode {
  return <span className="member-option">{label}<small>{about}</small></span>
}
