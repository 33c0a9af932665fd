import { delegateApi } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'

const day_ms = 86_400_000
/** Timers of a browser last no longer than this. */
const longest_wait_ms = 2_000_000_000

/** 代理：七年级 至 11-30, while the signed-in person acts for a department; asked again when his rights change and at the end of the last day. */
export function ActingTag(): ReactNode {
  const { data: [first, ...others] = [] } = useQuery({
    queryKey: [delegateApi.mine.call],
    queryFn: async ({ signal }) => (await call(delegateApi.mine, {}, { quiet: true, signal })).list,
    staleTime: Infinity,
    refetchInterval: ({ state }) => waitFor(state.data?.[0]?.valid_to),
  })
  if (!first) return null
  const words = [first, ...others].map(one => `${one.dept_name}（${one.from_user_name}），至 ${one.valid_to}`).join('；')
  return (
    <Tooltip title={words}>
      <Tag color="gold" variant="filled" className="app-role">{`代理：${first.dept_name} 至 ${first.valid_to.slice(5)}${others.length > 0 ? ` 等${others.length + 1}项` : ''}`}</Tag>
    </Tooltip>
  )
}

/** How long until the last day is over, by the clock of the browser. */
function waitFor(last_day: string | undefined): number | false {
  if (last_day === undefined) return false
  const rest = Date.parse(`${last_day}T00:00:00+08:00`) + day_ms - Date.now()
  return Math.min(Math.max(rest, 1000), longest_wait_ms)
}
