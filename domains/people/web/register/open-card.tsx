import type { RegisterInfo } from '@campus/people/contract'
import { toast, useSaving } from '@kit/web'
import { Alert, Button, DatePicker, Form, Input, Switch as Toggle } from 'antd'
import { dayjs } from '@kit/web/day'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useUnsaved } from '../use-unsaved.ts'
import { scene_words, stateText } from './register-words.ts'
import { addressOf, switchOf, useSaveSwitch } from './use-register.ts'

const Poster = lazy(() => import('./poster-drawer.tsx').then(part => ({ default: part.PosterDrawer })))

type Values = { is_open: boolean; end_time: dayjs.Dayjs | null; msg: string }
const zone_ms = 8 * 3_600_000

/** One form: open until a moment, or closed with a message for whoever still has the link. */
export function OpenCard({ scene, info }: { scene: 1 | 2; info: RegisterInfo }): ReactNode {
  const [form] = Form.useForm<Values>()
  const now = switchOf(info, scene)
  const save = useSaveSwitch(scene, info.row_version)
  const { busy, refused, run } = useSaving(form, { 'people.registerEnd': 'end_time', 'people.registerMsg': 'msg' })
  useUnsaved(() => form.isFieldsTouched())
  const [poster, showPoster] = useState(false)
  const is_open = Form.useWatch('is_open', form) ?? now.is_open
  const address = info.register_key === null ? null : addressOf(info.register_key, scene)
  const submit = ({ is_open: open, end_time, msg }: Values) => run(() => save({ is_open: open, end_time: end_time ? `${end_time.format('YYYY-MM-DDTHH:mm')}:00+08:00` : null, msg: msg || null }), '设置成功')
  return (
    <section className="register-card" aria-label={scene_words[scene]}>
      <h2>{scene_words[scene]}<small>{stateText(now)}</small></h2>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name={`register_${scene}`} layout="vertical" initialValues={{ is_open: now.is_open, end_time: schoolClock(now.end_time), msg: now.msg ?? '' }} onFinish={values => void submit(values)}>
        <Form.Item name="is_open" label="开放填写" valuePropName="checked"><Toggle /></Form.Item>
        <Form.Item name="end_time" label="截止时间" hidden={!is_open} extra="以服务器时间为准，到点后不再接收">
          <DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" placeholder="请选择截止时间" />
        </Form.Item>
        <Form.Item name="msg" label="关闭提示" hidden={is_open} extra="关闭后打开链接的人会看到这句话"><Input maxLength={200} showCount /></Form.Item>
        <Button type="primary" htmlType="submit" loading={busy}>保存</Button>
      </Form>
      {address !== null && now.is_open && (
        <div className="register-link">
          <Input aria-label={`${scene_words[scene]}链接`} readOnly value={address} onFocus={event => event.target.select()} />
          <Button onClick={() => void copy(address)}>复制链接</Button>
          <Button onClick={() => showPoster(true)}>二维码海报</Button>
        </div>
      )}
      <Suspense>{poster && address !== null && <Poster title={scene_words[scene]} until={stateText(now)} address={address} onClose={() => showPoster(false)} />}</Suspense>
    </section>
  )
}

/** The clock of the school, whatever zone the browser is in. */
function schoolClock(instant: string | null): dayjs.Dayjs | null {
  return instant === null ? null : dayjs(new Date(Date.parse(instant) + zone_ms).toISOString().slice(0, 16))
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('已复制')
  } catch {
    toast.warning('浏览器不允许复制，请选中链接后手动复制')
  }
}
