import { DEVICE_STATE, deviceApi, floorPlanApi } from '@campus/devices/contract'
import { call, confirmDanger, sentenceOf, toast, useCan } from '@kit/web'
import { PartState } from '@kit/web/part'
import { PictureField } from '@kit/web/upload'
import { Alert, Button, Checkbox, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { pinKey } from './plan.ts'
import { PlanCanvas } from './plan-canvas.tsx'
import { usePlan } from './use-plan.ts'
import '../devices.css'
import './plan.css'

const DeviceDrawer = lazy(() => import('../device-drawer.tsx').then(part => ({ default: part.DeviceDrawer })))
const rule = { purpose: 'resource', kind: '1', prepare: 'as_is' } as const
const middle = { x: 0.5, y: 0.5 } as const

/** 平面图: the picture of a place with its devices and the places below, each where it is; devices show live what they are doing. */
export function PlacePlan({ place_id, choose }: { place_id: string; choose: (place_id: string) => void }): ReactNode {
  const may_see = useCan(floorPlanApi.read)
  return may_see ? <Plan key={place_id} place_id={place_id} choose={choose} /> : <Alert type="info" showIcon title="无权限查看" />
}

function Plan({ place_id, choose }: { place_id: string; choose: (place_id: string) => void }): ReactNode {
  const may_edit = useCan(floorPlanApi.pin)
  const may_open = useCan(deviceApi.detail)
  const { plan: query, things, changed, pin, unpin } = usePlan(place_id)
  const [is_editing, edit] = useState(false)
  const [opened, open] = useState<string | null>(null)
  if (!query.data) return <PartState query={query} />
  const { plan } = query.data
  const save = async (file_key: string) => {
    await call(floorPlanApi.save, { id: place_id, file_key }, { quiet: true })
    await changed()
    edit(true)
  }
  if (!plan) return may_edit ? <div data-ready="place-plan"><PictureField title="平面图" rule={rule} address={null} hint="上传楼栋或楼层的平面图（JPG、PNG，10 MB以内），再把设备和房间放到图上。" onChange={save} /></div> : <p className="device-hint" data-ready="place-plan">这里还没有平面图</p>
  const pinned = new Set(plan.pins.map(pinKey))
  const free = things.filter(thing => !pinned.has(pinKey(thing)))
  const remove = async () => {
    if (!(await confirmDanger({ title: '移除平面图？图上的位置一并清除，设备和场所不受影响。', ok: '移除' }))) return
    await call(floorPlanApi.remove, { id: place_id }, { quiet: true }).catch((cause: unknown) => toast.error(sentenceOf(cause)))
    await changed()
  }
  const add = (key: string) => {
    const thing = free.find(one => pinKey(one) === key)
    if (thing) pin(thing, middle)
  }
  return (
    <div className="plan" data-ready="place-plan">
      <div className="plan-bar">
        <span role="status">{`图上 ${plan.pins.length} 个，未放置 ${free.length} 个`}</span>
        {may_edit && <Checkbox checked={is_editing} onChange={event => edit(event.target.checked)}>编辑位置</Checkbox>}
        {is_editing && <Select className="plan-add" aria-label="放到图上" placeholder="选择设备或场所放到图上" showSearch={{ optionFilterProp: 'label' }} value={null} options={free.map(thing => ({ value: pinKey(thing), label: `${thing.kind === 'device' ? '设备' : '场所'}：${thing.name}` }))} onChange={add} />}
        {is_editing && <Button danger onClick={() => void remove()}>移除平面图</Button>}
      </div>
      {is_editing && <p className="device-hint">拖动，或选中后用方向键移动（按住Shift移动更多），Del从图上取下。换一张图后位置按比例保留。</p>}
      <PlanCanvas plan={plan} things={things} is_editing={is_editing} pin={pin} unpin={unpin} open={thing => (thing.kind === 'place' ? choose(thing.id) : may_open && open(thing.id))} />
      <Legend />
      {is_editing && <details className="plan-change"><summary>更换平面图</summary><PictureField title="平面图" rule={rule} address={plan.address} onChange={save} /></details>}
      <Suspense>{opened !== null && <DeviceDrawer device_id={opened} onClose={() => open(null)} />}</Suspense>
    </div>
  )
}

/** What the signs of the picture mean. */
function Legend(): ReactNode {
  return (
    <p className="plan-legend">
      <span className="plan-place"><i aria-hidden />场所</span>
      {DEVICE_STATE.codes.map(code => <span key={code} className={`plan-state-${code}`}><i aria-hidden />{DEVICE_STATE.names[code]}</span>)}
      <span>离线和故障的设备显示名称，其余指向圆点即可看到。</span>
    </p>
  )
}
