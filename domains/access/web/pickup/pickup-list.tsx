import { passChannel, pickup_states, pickupApi } from '@campus/access/contract'
import type { PickupRow } from '@campus/access/contract'
import { secondText, useCan, useChannel, usePage } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Tag } from 'antd'
import type { ReactNode } from 'react'

const colors: Readonly<Record<number, string>> = { 1: 'blue', 2: 'green', 3: 'red', 4: 'orange', 5: 'default' }
const most_shown = 20

/** 今日接送 on the wall: for which children somebody has come, and who of them has gone (chapter 35 R55). */
export function PickupList(): ReactNode {
  const may_see = useCan(pickupApi.list)
  return may_see ? <Pickups /> : null
}

function Pickups(): ReactNode {
  const { active } = usePage()
  const { data, refetch } = useCall(pickupApi.list, {}, { keep: true })
  const again = () => void refetch()
  useChannel(passChannel, again, { on: active, onGap: again })
  if (!data || data.list.length === 0) return null
  const count = (state: PickupRow['state']) => data.list.filter(row => row.state === state).length
  return (
    <>
      <h2>{`今日接送：待离校 ${count(1) + count(4)}，已离校 ${count(2)}，超时 ${count(3)}`}</h2>
      {data.list.slice(0, most_shown).map(row => (
        <p key={row.event_id}><Tag color={colors[row.state]}>{pickup_states[row.state]}</Tag>{`${row.dept_name ?? ''} ${row.student_name}　${row.parent_name ?? row.by_name ?? ''} ${secondText(row.matched_at).slice(0, 5)} ${row.place_name}`}</p>
      ))}
    </>
  )
}
