import { commandApi, deviceApi, firmwareApi, passwordApi, syncApi } from '@campus/devices/contract'
import type { Device, DeviceSetup } from '@campus/devices/contract'
import { call, Can, confirmDanger, ImportButton, sentenceOf, toast, useCan } from '@kit/web'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { SyncRules } from './rule/sync-rules.tsx'
import { commandDevice } from './use-command.ts'
import { useDevicesChanged } from './use-devices.ts'

const DeviceDialog = lazy(() => import('./device-dialog.tsx').then(part => ({ default: part.DeviceDialog })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then(part => ({ default: part.MoveDialog })))
const ReplaceDialog = lazy(() => import('./replace-dialog.tsx').then(part => ({ default: part.ReplaceDialog })))
const RetireDialog = lazy(() => import('./retire-dialog.tsx').then(part => ({ default: part.RetireDialog })))
const RebuildDialog = lazy(() => import('./rebuild-dialog.tsx').then(part => ({ default: part.RebuildDialog })))
const SetupDialog = lazy(() => import('./setup-dialog.tsx').then(part => ({ default: part.SetupDialog })))
const DeviceDrawer = lazy(() => import('./device-drawer.tsx').then(part => ({ default: part.DeviceDrawer })))
const UpgradeDialog = lazy(() => import('./firmware/upgrade-dialog.tsx').then(part => ({ default: part.UpgradeDialog })))
const SetDialog = lazy(() => import('./password/set-dialog.tsx').then(part => ({ default: part.SetDialog })))
const MaintenanceDialog = lazy(() => import('./maintenance-dialog.tsx').then(part => ({ default: part.MaintenanceDialog })))
const ClaimDrawer = lazy(() => import('./claim-drawer.tsx').then(part => ({ default: part.ClaimDrawer })))

type Opened = { view: 'new'; claim?: string } | { view: 'edit' | 'move' | 'retire' | 'rebuild' | 'replace'; device: Device } | { view: 'detail'; device_id: string } | { view: 'claim' } | { view: 'upgrade' | 'password' | 'maintenance'; chosen: readonly Device[] } | { view: 'setup'; setup: DeviceSetup } | null
/** What is open about devices. */
export type DeviceDoor = { opened: Opened; open: (opened: Opened) => void }

export function useDeviceDoor(): DeviceDoor {
  const [opened, open] = useState<Opened>(null)
  return { opened, open }
}

/** 新增, and what brings many in, for those with the right. */
export function DeviceActs({ door }: { door: DeviceDoor }): ReactNode {
  const changed = useDevicesChanged()
  return (
    <Can code={deviceApi.create}>
      <ImportButton code="devices.device.import" template="device" title="设备导入" label="导入" unit="台" onApplied={() => void changed()} />
      <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => door.open({ view: 'new' })}>新增设备</Button>
    </Can>
  )
}

/** What may be done with chosen devices: their push stopped or resumed, their rules synced. */
export function ChosenDevices({ door, chosen, onDone }: { door: DeviceDoor; chosen: readonly Device[]; onDone: () => void }): ReactNode {
  const act = useAct()
  const push = async (is_push: 0 | 1) => {
    await act(() => call(deviceApi.ispush, { device_ids: chosen.map(row => row.device_id), is_push }, { quiet: true }))
    onDone()
  }
  return (
    <>
      <SyncRules chosen={chosen} onDone={onDone} />
      <Can code={firmwareApi.create}><Button onClick={() => door.open({ view: 'upgrade', chosen })}>升级</Button></Can>
      <Can code={passwordApi.set}><Button onClick={() => door.open({ view: 'password', chosen })}>改密码</Button></Can>
      <Can code={deviceApi.create}>
        <Button onClick={() => door.open({ view: 'maintenance', chosen })}>维护时段</Button>
        <Button onClick={() => void push(0)}>暂停下发</Button>
        <Button onClick={() => void push(1)}>恢复下发</Button>
      </Can>
    </>
  )
}

/** 详情, 移动场所 and 更多 of one row. */
export function RowActs({ row, door }: { row: Device; door: DeviceDoor }): ReactNode {
  const act = useAct()
  const may_control = useCan(commandApi.control)
  const may_sync = useCan(syncApi.resync)
  const { device_id, row_version, device_name, lifecycle } = row
  const stated = { device_id, row_version }
  const setup = async () => {
    if (await confirmDanger({ title: `更换${device_name}的接入密码？`, touches: '新密码立即可用，旧密码再保留24小时或到新密码第一次使用为止。', ok: '更换' })) await act(async () => door.open({ view: 'setup', setup: (await call(deviceApi.secret, stated, { quiet: true })).setup }))
  }
  const does: Record<string, () => void> = {
    edit: () => door.open({ view: 'edit', device: row }),
    secret: () => void setup(),
    enable: () => void act(() => call(deviceApi.enable, stated, { quiet: true })),
    disable: () => void act(() => call(deviceApi.disable, stated, { quiet: true })),
    retire: () => door.open({ view: 'retire', device: row }),
    replace: () => door.open({ view: 'replace', device: row }),
    restart: () => void commandDevice(row, 'restart'),
    time: () => void commandDevice(row, 'time'),
    verify: () => void act(() => call(syncApi.resync, { id: device_id, mode: 'verify' }, { quiet: true })),
    rebuild: () => door.open({ view: 'rebuild', device: row }),
  }
  const items: MenuProps['items'] = [
    { key: 'edit', label: '编辑' },
    ...(row.driver === 'jdev' || row.driver === 'vf105' ? [{ key: 'secret', label: '更换接入密码' }] : []),
    ...(may_control && row.driver === 'jdev' && row.device_state === '1' ? [{ key: 'restart', label: '重启' }, { key: 'time', label: '校时' }] : []),
    ...(may_sync && lifecycle !== 'pending' && (row.driver === 'jdev' || row.driver === 'vf105') ? [{ key: 'verify', label: '回读核对' }, { key: 'rebuild', label: '重建' }] : []),
    ...(lifecycle === 'active' ? [{ key: 'disable', label: '停用' }] : []),
    ...(lifecycle === 'disabled' ? [{ key: 'enable', label: '启用' }] : []),
    { key: 'replace', label: '更换设备' },
    { key: 'retire', label: '退役', danger: true },
  ]
  return (
    <>
      <Button type="link" aria-label={`详情 ${device_name}`} onClick={() => door.open({ view: 'detail', device_id })}>详情</Button>
      {lifecycle !== 'retired' && (
        <Can code={deviceApi.update}>
          <Button type="link" aria-label={`移动场所 ${device_name}`} onClick={() => door.open({ view: 'move', device: row })}>移动场所</Button>
          <Dropdown menu={{ items, onClick: ({ key }) => does[key]?.() }} trigger={['click']}><Button type="link" aria-label={`更多 ${device_name}`}>更多</Button></Dropdown>
        </Can>
      )}
    </>
  )
}

/** Does something at once and says how it went. */
function useAct(): (send: () => Promise<unknown>) => Promise<void> {
  const changed = useDevicesChanged()
  return async send => {
    const failed = await send().then(() => null, (error: unknown) => sentenceOf(error))
    if (failed === null) toast.success('操作成功')
    else toast.error(failed)
    await changed()
  }
}

/** Whatever is open; its code is fetched when it is first opened. */
export function DeviceDialogs({ door: { opened, open } }: { door: DeviceDoor }): ReactNode {
  const close = () => open(null)
  const onSetup = (setup: DeviceSetup) => open({ view: 'setup', setup })
  return (
    <Suspense>
      {opened?.view === 'new' && <DeviceDialog device={null} claim={opened.claim} onClose={close} onSetup={onSetup} />}
      {opened?.view === 'edit' && <DeviceDialog device={opened.device} onClose={close} onSetup={onSetup} />}
      {opened?.view === 'move' && <MoveDialog device={opened.device} onClose={close} />}
      {opened?.view === 'retire' && <RetireDialog device={opened.device} onClose={close} />}
      {opened?.view === 'replace' && <ReplaceDialog device={opened.device} onClose={close} onSetup={onSetup} />}
      {opened?.view === 'rebuild' && <RebuildDialog device={opened.device} onClose={close} />}
      {opened?.view === 'setup' && <SetupDialog setup={opened.setup} onClose={close} />}
      {opened?.view === 'detail' && <DeviceDrawer device_id={opened.device_id} onClose={close} />}
      {opened?.view === 'upgrade' && <UpgradeDialog chosen={opened.chosen} onClose={close} />}
      {opened?.view === 'password' && <SetDialog chosen={opened.chosen} onClose={close} onDone={() => undefined} />}
      {opened?.view === 'maintenance' && <MaintenanceDialog chosen={opened.chosen} onClose={close} />}
      {opened?.view === 'claim' && <ClaimDrawer onClaim={claim => open({ view: 'new', claim })} onClose={close} />}
    </Suspense>
  )
}
