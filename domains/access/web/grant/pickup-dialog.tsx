import { pickup_mode_names, pickupModeApi } from '@campus/access/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Radio } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Mode = 0 | 1 | 2
const modes = ([0, 1, 2] as const).map(value => ({ value, label: pickup_mode_names[value] }))
const modeOf = (value: unknown): Mode => (value === 1 || value === 2 ? value : 0)

/** 接送方式: grades whose children leave only after a guardian's pass. */
export function PickupDialog({ onClose }: { onClose: () => void }): ReactNode {
  const query = useCall(pickupModeApi.read, {})
  const client = useQueryClient()
  const { busy, refused, run } = useSaving()
  const [changed, change] = useState<Readonly<Record<string, Mode>>>({})
  const save = async () => {
    const list = Object.entries(changed).map(([grade, mode]) => ({ grade, mode }))
    if (!(await run(() => call(pickupModeApi.write, { list }, { quiet: true }), '设置成功'))) return
    await client.invalidateQueries({ queryKey: [pickupModeApi.read.call] })
    onClose()
  }
  return (
    <AppModal open title="接送方式" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="access-hint">
        “家长核验后放行”：家长在校门核验后10分钟内，学生可从该门离开一次。“同时核验”：家长核验后1分钟内学生须一同离开。
      </p>
      <Loaded query={query} empty="还没有年级">
        {({ list }) =>
          list.map(({ grade, dept_name, mode }) => (
            <p key={grade} className="access-pickup">
              <span>{dept_name}</span>
              <Radio.Group
                aria-label={dept_name}
                options={modes}
                value={changed[grade] ?? mode}
                onChange={event => change({ ...changed, [grade]: modeOf(event.target.value) })}
              />
            </p>
          ))
        }
      </Loaded>
    </AppModal>
  )
}
