import type { PostApi, PostDetail } from '@campus/publishing/contract'
import { AppModal, call, leaving, useMay, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, DatePicker, Form, Input, Switch } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { PreviewPart } from './audience-field.tsx'

type Frame = { onClose: () => void; onDone: () => void }
type Values = { publish_at?: Dayjs | null; override_reason?: string; reset_read?: boolean }
const reset_read = false

/** 发布: the exact number once more, at what time, and the hash that says which set was looked at (chapter 60 rule 2). */
export function PublishDialog({ api, id, again, onClose, onDone }: Frame & { api: PostApi; id: string; again: boolean }): ReactNode {
  const query = useCall(api.detail, { id })
  return <Loaded query={query}>{post => <PublishForm api={api} post={post} again={again} onClose={onClose} onDone={onDone} />}</Loaded>
}

function PublishForm({ api, post, again, onClose, onDone }: Frame & { api: PostApi; post: PostDetail; again: boolean }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const may = useMay()
  const audience = post.audience.map(({ mode, target_type, target_id }) => ({ mode, target_type, target_id }))
  const preview = useCall(api.preview, { scene: post.scene, kind: post.kind, audience, receivers: post.receivers })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const asked = { id: post.id, publish_at: values.publish_at?.toISOString() ?? null, audience_hash: preview.data?.audience_hash ?? null, override_reason: values.override_reason ? values.override_reason : null }
    const sent = await run(() => (again ? call(api.republish, { ...asked, reset_read: values.reset_read ?? reset_read }, { quiet: true }) : call(api.publish, asked, { quiet: true })), '操作成功')
    if (!sent) return void preview.refetch()
    onDone()
    onClose()
  }
  const blocked = preview.data === undefined || preview.data.problem !== null
  return (
    <AppModal open width={560} title={`${again ? '重新发布' : '发布'} · ${post.title}`} okText={preview.data?.needs_approval ? '提交审核' : '发布'} okButtonProps={{ disabled: blocked }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Loaded query={preview} rows={3}>{found => <PreviewPart preview={found} />}</Loaded>
      <Form form={form} name="publish" layout="vertical">
        <Form.Item name="publish_at" label="发布时间" extra="不填表示立即发布"><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" minDate={dayjs()} placeholder="立即发布" /></Form.Item>
        {again && <Form.Item name="reset_read" label="要求所有人重新阅读" valuePropName="checked"><Switch /></Form.Item>}
        {post.kind === '3' && may('publishing.homework.override') && <Form.Item name="override_reason" label="超过作业时长上限的理由" extra="只在超过上限时需要"><Input maxLength={200} /></Form.Item>}
      </Form>
    </AppModal>
  )
}

type ReasonProps = Frame & { title: string; about?: string; ok: string; refuse?: string; optional?: true; save: (reason: string, pass: boolean) => Promise<unknown> }

/** One sentence with an act, and its opposite where there is one. */
export function ReasonDialog({ title, about, ok, refuse, optional, save, onClose, onDone }: ReasonProps): ReactNode {
  const [form] = Form.useForm<{ reason?: string }>()
  const { busy, refused, run } = useSaving(form)
  const finish = async (pass: boolean) => {
    const values = await validValues(form)
    if (!values || !(await run(() => save(values.reason ?? '', pass), '操作成功'))) return
    onDone()
    onClose()
  }
  const footer = refuse === undefined ? {} : { footer: [<Button key="no" danger loading={busy} onClick={() => void finish(false)}>{refuse}</Button>, <Button key="yes" type="primary" loading={busy} onClick={() => void finish(true)}>{ok}</Button>] }
  return (
    <AppModal open width={480} title={title} okText={ok} confirmLoading={busy} onOk={() => void finish(true)} onCancel={leaving(form, onClose)} {...footer}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {about !== undefined && <p>{about}</p>}
      <Form form={form} name="reason" layout="vertical">
        <Form.Item name="reason" label={refuse === undefined ? '原因' : '意见'} rules={optional ? [] : [{ required: true, whitespace: true, message: '请填写原因' }]}><Input.TextArea maxLength={200} showCount rows={3} /></Form.Item>
      </Form>
    </AppModal>
  )
}
