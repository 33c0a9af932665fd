import { devPlaceApi, explainApi } from '@campus/access/contract'
import type { Explained } from '@campus/access/contract'
import { AppModal, call, useSaving, validValues } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Alert, DatePicker, Form, Radio, Select, Tag } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PeopleChoice } from './choices.tsx'

type Values = { user_ids: string[]; place_id: string; direction: number; at?: Dayjs | null }
const ways = [{ value: 1, label: '进' }, { value: 2, label: '出' }]
const verdicts = { allow: ['放行', 'green'], deny: ['不放行', 'red'], silent: ['不适用', 'default'] } as const

/** 通行说明: whether somebody may pass a door at a minute, the rung that decides and those before it. */
export function ExplainDialog({ scene, onClose }: { scene: number; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const [said, setSaid] = useState<Explained | null>(null)
  const [ins, outs] = [useCall(devPlaceApi.in, {}), useCall(devPlaceApi.out, {})]
  const places = new Map([...(ins.data?.list ?? []), ...(outs.data?.list ?? [])].map(place => [place.place_id, place.node_path_name]))
  const ask = async () => {
    const values = await validValues(form)
    const [user_id] = values?.user_ids ?? []
    if (!values || user_id === undefined) return
    await run(async () => setSaid(await call(explainApi.read, { user_id, place_id: values.place_id, direction: values.direction, at: values.at?.toISOString() }, { quiet: true })))
  }
  return (
    <AppModal open width={760} title="通行说明" okText="查询" confirmLoading={busy} onOk={() => void ask()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="access-explain" layout="vertical" initialValues={{ direction: 2 }}>
        <Form.Item name="user_ids" label="人员" rules={[{ required: true, message: '请选择人员' }]}><PeopleChoice scene={scene} most={1} /></Form.Item>
        <Form.Item name="place_id" label="门" rules={[{ required: true, message: '请选择门' }]}><Select placeholder="选择门" options={[...places].map(([value, label]) => ({ value, label }))} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
        <Form.Item name="direction" label="方向"><Radio.Group options={ways} /></Form.Item>
        <Form.Item name="at" label="时间" extra="不填为现在，可选过去的时间"><DatePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" className="kit-fill" /></Form.Item>
      </Form>
      {said && <Said said={said} />}
    </AppModal>
  )
}

function Said({ said }: { said: Explained }): ReactNode {
  return (
    <section aria-live="polite">
      <p className="access-verdict"><Tag color={said.allowed ? 'green' : 'red'}>{said.allowed ? '可以通行' : '不能通行'}</Tag>{said.sentence}</p>
      <ol className="access-ladder">
        {said.ladder.map(rung => {
          const [label, color] = verdicts[rung.verdict]
          return <li key={rung.rung} data-verdict={rung.verdict}><b>{rung.name}</b><span><Tag color={color}>{label}</Tag></span><span>{rung.text}</span></li>
        })}
      </ol>
      <p className="access-hint">{said.devices.map(device => `${device.device_name}（${device.online ? '在线' : '离线'}，${device.has_person ? '已下发此人' : '未下发此人'}）`).join('、')}</p>
    </section>
  )
}
