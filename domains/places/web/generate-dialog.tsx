import { building_kinds, bus_kind, campus_kind, placeApi, PlaceGenerator } from '@campus/places/contract'
import type { GeneratedFloor, Place } from '@campus/places/contract'
import { AppModal, call, leaving, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Form, Input, InputNumber, Radio, Select, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { usePlacesChanged } from './use-places.ts'

type Values = { building_name?: string; building_kind: 2 | 10; from_floor: number; floors: number; per_floor: number; room_kind: number; name_pattern: string; capacity: number | null }
type Preview = { floors: GeneratedFloor[]; made: number }

const initial = { building_kind: 2, from_floor: 1, floors: 4, per_floor: 8, room_kind: 4, name_pattern: '{floor}{nn}', capacity: null } as const
const homes = { 'places.placeNameTaken': 'building_name', 'places.placeTooMany': 'per_floor' }
const { building_name, floors, per_floor, name_pattern, capacity, from_floor } = PlaceGenerator.shape

/** Makes a building with floors and rooms, or floors in one that is there; shows first what will be made. */
export function GenerateDialog({ above, onClose }: { above: Place; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const [preview, setPreview] = useState<Preview | null>(null)
  const { busy, refused, run } = useSaving(form, homes)
  const changed = usePlacesChanged()
  const kinds = useDictionary('PLACE_KIND').map(({ value, label }) => ({ value: Number(value), label }))
  const is_building = building_kinds.includes(above.place_kind)
  const asked = (values: Values) => ({ ...values, building_name: is_building ? null : (values.building_name ?? ''), superior_id: above.place_id })
  const next = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!preview) return void (await run(async () => setPreview(await call(placeApi.preview, asked(values), { quiet: true }))))
    if (!(await run(() => call(placeApi.batch, asked(values), { quiet: true }), `已生成 ${preview.made} 个场所`))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={720} title={`在“${above.place_name}”下批量生成楼层房间`} okText={preview ? `生成 ${preview.made} 个场所` : '预览'} confirmLoading={busy} okButtonProps={{ disabled: preview?.made === 0 }} onOk={() => void next()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="generate" layout="vertical" initialValues={initial} onValuesChange={() => setPreview(null)}>
        {!is_building && (
          <div className="place-pair">
            <Form.Item name="building_name" label="楼栋名称" required rules={[ruleOf(building_name.unwrap().unwrap())]}><Input maxLength={50} placeholder="例如：小学部教学楼" /></Form.Item>
            <Form.Item name="building_kind" label="楼栋类型"><Radio.Group options={[{ value: 2, label: '楼栋' }, { value: 10, label: '宿舍楼' }]} /></Form.Item>
          </div>
        )}
        <div className="place-pair">
          <Form.Item name="from_floor" label="起始楼层" rules={[ruleOf(from_floor)]}><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
          <Form.Item name="floors" label="楼层数" required rules={[ruleOf(floors)]}><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
          <Form.Item name="per_floor" label="每层房间数" required rules={[ruleOf(per_floor)]}><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
        </div>
        <div className="place-pair">
          <Form.Item name="room_kind" label="房间类型" required><Select options={kinds.filter(({ value }) => value !== bus_kind && value !== campus_kind)} /></Form.Item>
          <Form.Item name="name_pattern" label="房间命名规则" required extra="{building} 楼栋名，{floor} 楼层，{nn} 两位序号，{n} 序号" rules={[ruleOf(name_pattern)]}><Input maxLength={30} /></Form.Item>
          <Form.Item name="capacity" label="每间容纳人数" rules={[ruleOf(capacity)]}><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
        </div>
      </Form>
      {preview && <Floors floors={preview.floors} />}
    </AppModal>
  )
}

function Floors({ floors: made }: { floors: readonly GeneratedFloor[] }): ReactNode {
  return (
    <ul className="place-floors" aria-label="将要生成的楼层和房间">
      {made.map(({ floor_name, is_new, rooms }) => (
        <li key={floor_name}>
          <b>{floor_name}</b>{!is_new && <small>已有</small>}
          <span>{rooms.map(room => <Tag key={room.place_name} color={room.is_new ? 'blue' : undefined}>{room.place_name}{room.is_new ? '' : '（已有）'}</Tag>)}</span>
        </li>
      ))}
    </ul>
  )
}
