import { syncApi } from '@campus/devices/contract'
import type { HeldPlan } from '@campus/devices/contract'
import { call, Can, instantText, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { heldShare, namesText, whoText } from './held-text.ts'
import { SignDialog } from './sign-dialog.tsx'

const look_ms = 30_000
const names_shown = 3

/** Changes that take so many people from a device that somebody has to sign them, at a glance: one line, however many they are; nothing while there are none. */
export function HeldPlans(): ReactNode {
  const sees = useCan(syncApi.holds)
  const [is_open, open] = useState(false)
  const plans = useQuery({ queryKey: [syncApi.holds.call], queryFn: async ({ signal }) => (await call(syncApi.holds, {}, { signal, quiet: true })).list, refetchInterval: look_ms, enabled: sees }).data ?? []
  const [plan, ...others] = plans
  if (!plan) return null
  const confirm = others.length === 0 ? '确认删除' : '查看并确认'
  return (
    <>
      <Alert
        className="device-held" type="warning" showIcon title={others.length === 0 ? titleOf(plan) : `${plans.length}台设备的批量删除已暂停，请确认：${namesText(plans.map(one => one.device_name), names_shown)}`}
        description={others.length === 0 ? `从${instantText(plan.held_at)}开始等待，${whoText(plan)}` : `从${instantText(plan.held_at)}开始等待。确认前这些人仍可通行；如果是误操作，恢复他们的通行权限即可取消。`}
        action={<Can code={syncApi.hold_confirm}><Button danger aria-label={others.length === 0 ? `确认删除 ${plan.device_name}` : confirm} onClick={() => open(true)}>{confirm}</Button></Can>}
      />
      {is_open && <SignDialog plans={plans} onClose={() => open(false)} />}
    </>
  )
}

function titleOf(plan: HeldPlan): string {
  return `将从“${plan.device_name}”删除${plan.persons}人（占${heldShare(plan)}%），已暂停，请确认`
}
