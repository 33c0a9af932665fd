import { deviceApi } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import { call, sentenceOf, useCan, useSettled } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { SelectProps } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const most_shown = 50
type Props = {
  types?: readonly string[]
  /** those alone below which others may hang */
  can_parent?: true
  /** the one that is chosen already, which need not be among those that are found */
  known?: { device_id: string; device_name: string } | undefined
  /** what is said when the school has none of these kinds */
  nothing: string
} & Omit<SelectProps<string>, 'options' | 'showSearch' | 'notFoundContent'>

/** One device of these kinds, looked for on the server by its name, number or address. */
export function DeviceChoice({ types, can_parent, known, nothing, ...select }: Props): ReactNode {
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const enabled = useCan(deviceApi.list)
  const query = useQuery({
    queryKey: [deviceApi.list.call, 'of kinds', types, can_parent, keyword],
    queryFn: ({ signal }) => call(deviceApi.list, { page_size: most_shown, sort: 'place', ...(types ? { device_types: types.join(',') } : {}), ...(can_parent ? { can_parent: '1' } : {}), ...(keyword === '' ? {} : { keyword }) }, { signal, quiet: true }),
    enabled, placeholderData: keepPreviousData,
  })
  const { list = [], total = 0 } = query.data ?? {}
  const found: readonly Pick<Device, 'device_id' | 'device_name'>[] = known && !list.some(one => one.device_id === known.device_id) && text === '' ? [known, ...list] : list
  const empty = query.error ? sentenceOf(query.error) : query.isPending ? '加载中…' : keyword === '' ? nothing : '没有名称、序列号或IP符合的设备，请换一个词'
  return (
    <Select<string>
      allowClear {...select} loading={query.isFetching} showSearch={{ filterOption: false, onSearch: setText }} notFoundContent={empty}
      options={[...found.map(device => ({ value: device.device_id, label: device.device_name })), ...(total > list.length ? [{ value: '', label: `共 ${total} 台，只列出前 ${list.length} 台，请输入名称查找`, disabled: true }] : [])]}
    />
  )
}
