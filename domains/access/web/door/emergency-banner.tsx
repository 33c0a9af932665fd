import { door_kinds, doorApi, doorChannel } from '@campus/access/contract'
import { call, instantText, useChannel } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import './door.css'

const kept_ms = 60_000

/** Says on every page of a school's console that its exits stand open or its entries are shut (chapter 35 R53). */
export function EmergencyBanner(): ReactNode {
  const { data, refetch } = useQuery({ queryKey: [doorApi.state.call], queryFn: ({ signal }) => call(doorApi.state, {}, { quiet: true, signal }), staleTime: kept_ms, refetchInterval: kept_ms })
  const again = () => void refetch()
  useChannel(doorChannel, again, { onGap: again })
  const emergency = data?.emergency
  return emergency ? <div className="door-banner" role="alert">{`${door_kinds[emergency.kind]}进行中：${emergency.reason}（${instantText(emergency.begun_at)} 开始）`}</div> : null
}
