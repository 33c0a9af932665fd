import { information_kind, most_attachments, NOTICE_KIND, parent_rules, receiver_names, reply, reply_names } from '@campus/publishing/contract'
import type { AudienceLine, FormField, PostDetail, RepeatRule } from '@campus/publishing/contract'
import { call, mayDiscard, PageFrame, toast, useDictionary, usePage, useSaving, validValues } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { PartState, useCall } from '@kit/web/part'
import { UploadField } from '@kit/web/upload'
import type { Uploaded, UploadRule } from '@kit/web/upload'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { Alert, Button, DatePicker, Form, Input, InputNumber, Select, Switch } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { AudienceField, LivePreview } from './audience-field.tsx'
import { CheckInField } from './check-in-field.tsx'
import { FormBuilder } from './form-field.tsx'
import { variants } from './variants.ts'
import type { Variant } from './variants.ts'
import '../publishing.css'

const RichText = lazy(() => import('./rich-text.tsx').then(part => ({ default: part.RichText })))
const PublishDialog = lazyDialog(() => import('./publish-dialog.tsx').then(part => part.PublishDialog))

export const AddFamilyNotice = (): ReactNode => <PostEditor variant={variants.family} />
export const AddStaffNotice = (): ReactNode => <PostEditor variant={variants.staff} />
export const AddCollection = (): ReactNode => <PostEditor variant={variants.collection} />
export const AddOldCollection = (): ReactNode => <PostEditor variant={variants.before} />

type Line = AudienceLine & { name?: string }
type Values = {
  kind: string; title: string; summary?: string; content_html: string; attachments?: Uploaded[]; audience?: Line[]; receivers: number; parent_rule: number; reply_kind: number; form?: FormField[]
  due_at?: Dayjs | null; expire_at?: Dayjs | null; allow_late?: boolean; allow_resubmit?: boolean; anonymous?: boolean; must_read?: boolean; subject?: string | null; est_minutes?: number | null; reset_read?: boolean; change_note?: string
  repeat_rule?: RepeatRule | null
}
const file_rule: UploadRule = { purpose: 'notice', kind: '3', prepare: 'as_is' }
const extensions = ['.pdf', '.doc', '.docx', '.xls', '.xlsx', '.ppt', '.pptx', '.txt']
const options = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value: Number(value), label }))
const kinds = NOTICE_KIND.codes.filter(code => code !== information_kind).map(value => ({ value, label: NOTICE_KIND.names[value] }))
const [homework, check_in, survey] = ['3', '4', '5'] as const

/** One editor for every post (chapter 60 §5): the text at the left, the phone at the right, the audience with its exact number below. */
function PostEditor({ variant }: { variant: Variant }): ReactNode {
  const { search } = usePage()
  const query = useCall(variant.api.detail, { id: search.id ?? '0' }, { enabled: search.id !== undefined })
  if (search.id === undefined) return <Editor variant={variant} post={null} />
  return query.data ? <Editor key={`${query.data.id}-${query.data.row_version}`} variant={variant} post={query.data} /> : <PartState query={query} />
}

function firstValues(variant: Variant, post: PostDetail | null): Partial<Values> {
  const is_old = variant.edition === 1
  if (post === null) return { kind: variant.word === '收集' ? information_kind : variant.scene === 1 ? '2' : '1', receivers: 1, parent_rule: 1, reply_kind: variant.word === '收集' ? (is_old ? reply.text : reply.form) : reply.none, content_html: '', audience: [], attachments: [], form: [] }
  const day = (at: string | null) => (at === null ? null : dayjs(at))
  return { ...post, due_at: day(post.due_at), expire_at: day(post.expire_at), attachments: post.attachments.map(({ file_key, name, bytes }) => ({ file_key, file_name: name, size: bytes })) }
}

function Editor({ variant, post }: { variant: Variant; post: PostDetail | null }): ReactNode {
  const { api, word } = variant
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const { open, close, dialog } = useDialog()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [typed, setTyped] = useState(false)
  const shown = Form.useWatch([], form) ?? firstValues(variant, post)
  const is_sent = post !== null && post.sent_at !== null
  useBlocker({ shouldBlockFn: async () => typed && !(await mayDiscard()), enableBeforeUnload: () => typed })
  const save = async (): Promise<string | null> => {
    const values = await validValues(form)
    if (!values) return null
    const saved: { id: string | null } = { id: null }
    const ok = await run(async () => {
      const { id, removed_pictures } = await send(variant, post, values)
      saved.id = id
      if (removed_pictures > 0) toast.warning(`外部图片已移除：${removed_pictures}张`)
    }, '已保存')
    if (!ok) return null
    setTyped(false)
    await client.invalidateQueries({ queryKey: [api.list.call] })
    await client.invalidateQueries({ queryKey: [api.detail.call] })
    return saved.id
  }
  const leave = () => void navigate({ to: variant.home, ignoreBlocker: true })
  const keep = async () => {
    const id = await save()
    if (id !== null) leave()
  }
  const publish = async () => {
    const id = await save()
    if (id === null) return
    await navigate({ to: variant.add, search: { id }, replace: true, ignoreBlocker: true })
    open(<PublishDialog api={api} id={id} again={false} onClose={close} onDone={leave} />)
  }
  const footer = <><Button onClick={() => void navigate({ to: variant.home })}>取消</Button><Button loading={busy} onClick={() => void keep()}>{is_sent ? '发布修订' : '存草稿'}</Button>{!is_sent && <Button type="primary" loading={busy} onClick={() => void publish()}>下一步：发布</Button>}</>
  return (
    <PageFrame footer={footer} ready="page">
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="post" layout="vertical" className="pub-editor" initialValues={firstValues(variant, post)} onValuesChange={() => setTyped(true)}>
        <div className="pub-editor-fields">
          {word === '通知' && <Form.Item name="kind" label="类型"><Select options={kinds} disabled={is_sent} /></Form.Item>}
          <Form.Item name="title" label="标题" className={word === '通知' ? undefined : 'pub-wide'} rules={[{ required: true, whitespace: true, message: '请填写标题' }]}><Input maxLength={60} showCount /></Form.Item>
          <Form.Item name="content_html" label="正文" className="pub-wide" rules={[{ required: true, message: '请填写正文' }]}><Text /></Form.Item>
          <Form.Item name="attachments" label="附件" className="pub-wide"><UploadField rule={file_rule} extensions={extensions} most={most_attachments} hint={`最多${most_attachments}个文档`} /></Form.Item>
          <Extra variant={variant} kind={shown.kind ?? '1'} reply_kind={shown.reply_kind ?? 0} is_sent={is_sent} />
          {!is_sent && <Form.Item name="audience" label="接收人群" className="pub-wide" rules={[{ required: true, message: '请选择接收人群' }]}><AudienceField scene={post?.scene ?? variant.scene} /></Form.Item>}
          {!is_sent && <div className="pub-wide"><LivePreview api={api} scene={post?.scene ?? variant.scene} kind={shown.kind ?? '1'} receivers={shown.receivers ?? 1} audience={shown.audience ?? []} /></div>}
        </div>
        <aside className="pub-phone" aria-label="手机预览"><h3>{shown.title || '标题'}</h3><small>{NOTICE_KIND.names[NOTICE_KIND.codes.find(code => code === shown.kind) ?? '1']}</small><Phone html={shown.content_html ?? ''} /></aside>
      </Form>
      {dialog}
    </PageFrame>
  )
}

/** What the phone will show of the text, as plain words: what the author types is not yet cleaned. */
function Phone({ html }: { html: string }): ReactNode {
  const words = new DOMParser().parseFromString(html, 'text/html').body
  return <>{[...words.children].map((part, at) => <p key={at}>{part.textContent}</p>)}</>
}

function Text({ value, onChange }: { value?: string; onChange?: (html: string) => void }): ReactNode {
  return <Suspense fallback={<div className="pub-rich-text" role="status">正在载入编辑器…</div>}><RichText value={value} onChange={onChange} /></Suspense>
}

function Extra({ variant, kind, reply_kind, is_sent }: { variant: Variant; kind: string; reply_kind: number; is_sent: boolean }): ReactNode {
  const subjects = useDictionary('SUBJECT')
  const replies = options(reply_names).filter(one => variant.word === '通知' || (variant.edition === 1 ? one.value === reply.text : one.value === reply.form || one.value === reply.sign))
  return (
    <>
      <Form.Item name="reply_kind" label="回执"><Select options={replies} disabled={is_sent} /></Form.Item>
      {variant.scene === 1 && <Form.Item name="receivers" label="发给"><Select options={options(receiver_names)} disabled={is_sent} /></Form.Item>}
      {variant.scene === 1 && <Form.Item name="parent_rule" label="家庭已读的算法"><Select options={options(parent_rules)} disabled={is_sent} /></Form.Item>}
      {kind === homework && <Form.Item name="subject" label="学科" rules={[{ required: true, message: '请选择作业学科' }]}><Select options={subjects} /></Form.Item>}
      {kind === homework && <Form.Item name="est_minutes" label="预计用时(分钟)" rules={[{ required: true, message: '请填写预计用时' }]} extra="三至六年级每天合计不超过60分钟，初中不超过90分钟"><InputNumber className="kit-fill" min={1} max={240} precision={0} /></Form.Item>}
      {kind === check_in && <Form.Item name="repeat_rule" label="打卡日期" className="pub-wide"><CheckInField disabled={is_sent} /></Form.Item>}
      <Form.Item name="due_at" label={kind === homework ? '交作业时间' : '提交截止'}><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
      <Form.Item name="expire_at" label="失效时间" extra="失效后仍可查看，不再提醒"><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
      {reply_kind === reply.form && <Form.Item name="form" label="题目" className="pub-wide"><FormBuilder /></Form.Item>}
      {reply_kind > 0 && <Form.Item name="allow_late" label="允许补交" valuePropName="checked"><Switch /></Form.Item>}
      {reply_kind > reply.confirm && <Form.Item name="allow_resubmit" label="允许修改提交" valuePropName="checked"><Switch /></Form.Item>}
      {kind === survey && reply_kind === reply.form && <Form.Item name="anonymous" label="匿名填写" valuePropName="checked"><Switch disabled={is_sent} /></Form.Item>}
      <Form.Item name="must_read" label="必读" valuePropName="checked"><Switch /></Form.Item>
      {is_sent && <Form.Item name="reset_read" label="要求所有人重新阅读和签字" valuePropName="checked"><Switch /></Form.Item>}
      {is_sent && <Form.Item name="change_note" label="修订说明"><Input maxLength={200} /></Form.Item>}
    </>
  )
}

/** Sends what was typed as a draft, or as a revision of what is there. */
function send(variant: Variant, post: PostDetail | null, values: Values): Promise<{ id: string; removed_pictures: number }> {
  const { reset_read = false, change_note = '', attachments = [], audience, form = [], due_at, expire_at, repeat_rule = null, ...rest } = values
  const lines = audience ?? post?.audience ?? []
  const body = {
    ...rest, kind: NOTICE_KIND.codes.find(code => code === values.kind) ?? '1', scene: post?.scene ?? variant.scene, edition: post?.edition ?? variant.edition, due_at: due_at?.toISOString() ?? null, expire_at: expire_at?.toISOString() ?? null,
    attachments: attachments.map(file => ({ file_key: file.file_key, name: file.file_name.slice(0, 100), bytes: file.size })), audience: lines.map(({ mode, target_type, target_id }) => ({ mode, target_type, target_id })),
    form: values.reply_kind === reply.form ? form : [],
    repeat_rule: values.kind === check_in ? repeat_rule : null,
  }
  if (post === null) return call(variant.api.add, body, { quiet: true })
  return call(variant.api.update, { ...body, id: post.id, row_version: post.row_version, reset_read, change_note }, { quiet: true })
}
