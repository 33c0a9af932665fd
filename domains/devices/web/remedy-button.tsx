import { deviceApi, remedies, syncApi } from '@campus/devices/contract'
import type { Device, HeldPlan, Remedy, WhyNot } from '@campus/devices/contract'
import { call, sentenceOf, toast } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { SignDialog } from './sign-dialog.tsx'
import { commandDevice } from './use-command.ts'
import { useDevicesChanged } from './use-devices.ts'

const MoveDialog = lazy(() => import('./move-dialog.tsx').then(part => ({ default: part.MoveDialog })))

type Mended = Pick<Device, 'device_id' | 'device_name' | 'row_version' | 'place_id' | 'direction' | 'node_path_name'>
/** A cause at a device: the row and the person it is about; `onDone` when something was done about it. */
type Props = { device: Mended; remedy: Remedy; row: WhyNot['row']; user_id: string | null; onDone: () => void }
type Opened = 'place' | HeldPlan | null

const quiet = { quiet: true }

/** The button that mends what is in the way (chapter 30 §10.1): it does it at once, asks for what is missing, or leads to where it is done. */
export function RemedyButton({ device, remedy, row, user_id, onDone }: Props): ReactNode {
  const [opened, open] = useState<Opened>(null)
  const [busy, setBusy] = useState(false)
  const changed = useDevicesChanged()
  const { label } = remedies[remedy]
  const elsewhere = addressOf(remedy, user_id)
  const press = async () => {
    setBusy(true)
    const failed = await act(remedy, { device, row, open }).then(() => null, (error: unknown) => sentenceOf(error))
    setBusy(false)
    if (failed !== null) toast.error(failed)
    else if (is_done[remedy]) toast.success('操作成功')
    await changed()
    onDone()
  }
  const close = () => {
    open(null)
    onDone()
  }
  if (elsewhere !== null) return <Button size="small" href={elsewhere} target="_blank">{label}</Button>
  return (
    <>
      <Button size="small" type="primary" ghost loading={busy} onClick={() => void press()}>{label}</Button>
      <Suspense>
        {opened === 'place' && <MoveDialog device={device} onClose={close} />}
        {opened !== null && opened !== 'place' && <SignDialog plans={[opened]} onClose={close} />}
      </Suspense>
    </>
  )
}

/** What is done by the press itself; the others ask, or say by themselves how it went. */
const is_done: Partial<Record<Remedy, true>> = { enable: true, push: true, resend: true, derive: true, verify: true }

async function act(remedy: Remedy, { device, row, open }: Pick<Props, 'device' | 'row'> & { open: (opened: Opened) => void }): Promise<unknown> {
  const { device_id: id, row_version } = device
  if (remedy === 'enable') return call(deviceApi.enable, { device_id: id, row_version }, quiet)
  if (remedy === 'push') return call(deviceApi.ispush, { device_ids: [id], is_push: 1 }, quiet)
  if (remedy === 'resend' && row !== null) return call(syncApi.resend, { id, rows: [row] }, quiet)
  if (remedy === 'derive') return call(syncApi.resync, { id, mode: 'diff' }, quiet)
  if (remedy === 'verify') return call(syncApi.resync, { id, mode: 'verify' }, quiet)
  if (remedy === 'clock') return commandDevice(device, 'time')
  if (remedy === 'place') return open('place')
  return open(await heldAt(id))
}

async function heldAt(device_id: string): Promise<HeldPlan> {
  const { list } = await call(syncApi.holds, {}, quiet)
  const plan = list.find(one => one.device_id === device_id)
  if (!plan) throw new Error('这台设备没有等待确认的变更，请刷新')
  return plan
}

/** Where something is mended that is not mended here. */
function addressOf(remedy: Remedy, user_id: string | null): string | null {
  if (remedy === 'rule') return '/DeviceRuleDoor'
  return (remedy === 'person' || remedy === 'photo') && user_id !== null ? `/PersonDetail?user_id=${user_id}&tab=credential` : null
}
