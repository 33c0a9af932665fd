import { devPlaceApi } from '@campus/access/contract'
import { useCall } from '@kit/web/part'
import { Select } from 'antd'
import type { ReactNode } from 'react'

type Props = { way: 1 | 2; placeholder?: string; value?: string[]; onChange?: (place_ids: string[]) => void; id?: string }

/** Chooses places that have doors of a direction; a place above means every door below it. */
export function DoorSelect({ way, placeholder = way === 1 ? '选择可以进的门' : '选择可以出的门', value, onChange, id }: Props): ReactNode {
  const { data, isFetching } = useCall(way === 1 ? devPlaceApi.in : devPlaceApi.out, {})
  const options = (data?.list ?? []).map(place => ({ value: place.place_id, label: place.place_name, text: `${place.node_path_name} · ${place.doors}台${place.offline > 0 ? `（${place.offline}台离线）` : ''}` }))
  return (
    <Select
      id={id} mode="multiple" className="kit-fill" placeholder={placeholder} loading={isFetching} value={value ?? []} onChange={onChange}
      options={options} optionRender={({ data: option }) => option.text} showSearch={{ optionFilterProp: 'text' }} notFoundContent="没有设备的场所不在列表中"
    />
  )
}
