import { pickup_mode_names, pickupModeApi } from '@campus/access/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Radio } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const modes = Object.entries(pickup_mode_names).map(([code, label]) => ({ value: code === '1' ? (1 as const) : (0 as const), label }))

/** 接送方式: grades whose children leave only after a guardian's pass. */
export function PickupDialog({ onClose }: { onClose: () => void }): ReactNode {
  const query = useCall(pickupModeApi.read, {})
  const client = useQueryClient()
  const { busy, refused, run } = useSaving()
  const [changed, change] = useState<Readonly<Record<string, 0 | 1>>>({})
  const save = async () => {
    const list = Object.entries(changed).map(([grade, mode]) => ({ grade, mode }))
    if (!(await run(() => call(pickupModeApi.write, { list }, { quiet: true }), '设置成功'))) return
    await client.invalidateQueries({ queryKey: [pickupModeApi.read.call] })
    onClose()
  }
  return (
    <AppModal open title="接送方式" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="access-hint">“家长核验后放行”的年级，学生不能自行从校门离开，需临时放行。</p>
      <Loaded query={query} empty="还没有年级">
        {({ list }) => list.map(({ grade, dept_name, mode }) => <p key={grade} className="access-pickup"><span>{dept_name}</span><Radio.Group aria-label={dept_name} options={modes} value={changed[grade] ?? mode} onChange={event => change({ ...changed, [grade]: event.target.value === 1 ? 1 : 0 })} /></p>)}
      </Loaded>
    </AppModal>
  )
}
