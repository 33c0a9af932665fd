import { bus_kind, campus_kind, placeApi, PlaceDraft, private_kinds } from '@campus/places/contract'
import type { Place } from '@campus/places/contract'
import { AppModal, call, mayDiscard, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Checkbox, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { usePlacesChanged } from './use-places.ts'

type Values = Pick<Place, 'place_name' | 'place_kind' | 'capacity' | 'area_m2' | 'private_zone'>

const homes = { 'places.placeNameTaken': 'place_name', 'places.placeKindInUse': 'place_kind' }
const { place_name, place_kind, capacity, area_m2 } = PlaceDraft.shape

/** Makes a place below another one, or a campus where there is none above, or changes one. */
export function PlaceDialog({ place, above, onClose, onMade }: { place: Place | null; above: Place | null; onClose: () => void; onMade: (place_id: string) => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const kind = Form.useWatch('place_kind', form) ?? place?.place_kind
  const kinds = useDictionary('PLACE_KIND').map(({ value, label }) => ({ value: Number(value), label }))
  const { busy, refused, run } = useSaving(form, homes)
  const changed = usePlacesChanged()
  const is_campus = place ? place.superior_id === null : above === null
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const made: { place_id?: string } = {}
    const send = async () => {
      const draft = { ...values, private_zone: values.private_zone || private_kinds.includes(values.place_kind) }
      const reply = place ? await call(placeApi.update, { id: place.place_id, row_version: place.row_version, ...draft }, { quiet: true }) : await call(placeApi.create, { ...draft, superior_id: above?.place_id ?? null }, { quiet: true })
      made.place_id = reply.place.place_id
    }
    if (!(await run(send, place ? '设置成功' : '添加成功'))) return
    await changed()
    if (made.place_id !== undefined) onMade(made.place_id)
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const initial = place ?? { place_name: '', place_kind: is_campus ? campus_kind : undefined, capacity: null, area_m2: null, private_zone: false }
  const is_private = kind !== undefined && private_kinds.includes(kind)
  return (
    <AppModal open width={520} title={place ? `编辑场所：${place.place_name}` : above ? `在“${above.place_name}”下新增场所` : '新增校区'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="place" layout="vertical" initialValues={initial}>
        <Form.Item name="place_name" label="名称" required rules={[ruleOf(place_name)]}><Input maxLength={50} showCount placeholder="例如：教学楼、3层、301" /></Form.Item>
        <Form.Item name="place_kind" label="类型" required rules={[ruleOf(place_kind)]}>
          <Select disabled={is_campus} showSearch={{ optionFilterProp: 'label' }} options={kinds.filter(({ value }) => value !== bus_kind && (value === campus_kind) === is_campus)} />
        </Form.Item>
        <div className="place-pair">
          <Form.Item name="capacity" label="容纳人数" rules={[ruleOf(capacity)]}><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
          <Form.Item name="area_m2" label="面积（平方米）" rules={[ruleOf(area_m2)]}><InputNumber className="kit-fill" parser={readNumber} /></Form.Item>
        </div>
        <Form.Item name="private_zone" valuePropName="checked" extra={is_private ? '宿舍房间、卫生间、浴室始终是私密区域，不能绑定摄像机和人脸设备。' : '私密区域不能绑定摄像机和人脸设备。'}>
          <Checkbox disabled={is_private}>私密区域</Checkbox>
        </Form.Item>
      </Form>
    </AppModal>
  )
}
