import { audit_modes, visitorSettingApi } from '@campus/access/contract'
import type { VisitorSetting } from '@campus/access/contract'
import { call, Can, PageFrame, toast, useSaving, validValues } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, InputNumber, QRCode, Select, Switch, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { usePlaceTree } from '../pass/pickers.tsx'
import { bookingUrl } from './visitor-words.ts'
import '../pass/pass.css'

const modes: Readonly<Record<string, string>> = audit_modes
const mode_options = [1, 2, 3].map(value => ({ value, label: modes[String(value)] ?? '' }))

/** 微信访客设置: how visitors book for themselves, and the code that opens the page (chapter 35 §5). */
export default function VisitorWeChat(): ReactNode {
  const query = useCall(visitorSettingApi.read, {})
  return <PageFrame><Loaded query={query}>{({ link_key, ...setting }) => <div className="visit-set" data-ready="visitor-setting"><SettingForm key={setting.row_version} setting={setting} onDone={() => void query.refetch()} /><BookingLink link_key={link_key} /></div>}</Loaded></PageFrame>
}

function SettingForm({ setting, onDone }: { setting: VisitorSetting; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<VisitorSetting>()
  const { busy, refused, run } = useSaving(form)
  const places = usePlaceTree()
  const save = async () => {
    const values = await validValues(form)
    if (values && (await run(() => call(visitorSettingApi.write, { ...values, notice: values.notice ?? '', row_version: setting.row_version }, { quiet: true }), '设置成功'))) onDone()
  }
  const number = (name: 'advance_days' | 'max_minutes' | 'before_min' | 'after_min' | 'follower_max', label: string, least: number, most: number) => (
    <Form.Item name={name} label={label} rules={[{ required: true, message: `请填写${label}` }]}><InputNumber className="kit-fill" min={least} max={most} precision={0} /></Form.Item>
  )
  const clock = [{ required: true, pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/, message: '时间格式为 HH:mm' }]
  return (
    <Form form={form} name="visitor-setting" layout="vertical" initialValues={setting}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <div className="visit-form-row">
        <Form.Item name="book_enabled" label="开放自助预约" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="audit_mode" label="审核方式"><Select options={mode_options} /></Form.Item>
        {number('advance_days', '可提前天数', 1, 30)}
        {number('max_minutes', '最长来访(分钟)', 30, 720)}
        <Form.Item name="open_from" label="开放时间从" rules={clock}><Input maxLength={5} /></Form.Item>
        <Form.Item name="open_to" label="开放时间至" rules={clock}><Input maxLength={5} /></Form.Item>
        {number('before_min', '可提前到达(分钟)', 0, 240)}
        {number('after_min', '可延后离校(分钟)', 0, 240)}
        {number('follower_max', '同行人数上限', 0, 50)}
        <Form.Item name="place_ids" label="默认通行门" extra="不选时为全部校门"><TreeSelect multiple allowClear treeData={places} placeholder="全部校门" showSearch={{ treeNodeFilterProp: 'title' }} /></Form.Item>
        <Form.Item name="need_plate" label="必填车牌号" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="need_company" label="必填单位" valuePropName="checked"><Switch /></Form.Item>
      </div>
      <Form.Item name="notice" label="预约须知"><Input.TextArea maxLength={1000} showCount rows={4} placeholder="显示在预约页面顶部" /></Form.Item>
      <Can code={visitorSettingApi.write}><Button type="primary" loading={busy} onClick={() => void save()}>保存</Button></Can>
    </Form>
  )
}

function BookingLink({ link_key }: { link_key: string }): ReactNode {
  const { act } = useAct([visitorSettingApi.read])
  const url = bookingUrl(link_key)
  const rotate = () => void act(() => call(visitorSettingApi.rotate, {}, { quiet: true }), { ask: link_key !== '' && { title: '更换后，已张贴的二维码和已发出的链接立即失效，确定更换吗？', ok: '更换' }, done: '预约链接已更换' })
  const copy = () => void navigator.clipboard.writeText(url).then(() => toast.success('已复制'), () => toast.error('浏览器不允许复制，请手工选择后复制'))
  return (
    <aside className="visit-qr" aria-label="预约二维码">
      <b>访客预约二维码</b>
      {link_key === '' ? <p>还没有预约链接，保存设置或点“生成链接”后出现</p> : <><QRCode type="svg" value={url} size={240} errorLevel="M" aria-label="访客预约二维码" /><a href={url} target="_blank" rel="noreferrer">打开预约页面</a></>}
      <p>{link_key !== '' && <Button onClick={copy}>复制链接</Button>} <Can code={visitorSettingApi.rotate}><Button danger={link_key !== ''} onClick={rotate}>{link_key === '' ? '生成链接' : '更换链接'}</Button></Can></p>
      <p>打印张贴在校门口，或发给来访者；访客用手机扫码填写，不需要账号。</p>
    </aside>
  )
}
