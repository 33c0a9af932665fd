import { contentApi, folderApi, noticeApi, source, source_names } from '@campus/publishing/contract'
import type { ContentDraft, ContentRow } from '@campus/publishing/contract'
import { AppModal, call, leaving, useCan, useSaving, validValues } from '@kit/web'
import { useCall } from '@kit/web/part'
import { UploadField } from '@kit/web/upload'
import type { Uploaded } from '@kit/web/upload'
import { Alert, DatePicker, Form, Input, InputNumber, Select } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { plainTargets, TargetField } from './target-field.tsx'
import { useRules, useZones } from './use-choices.ts'

type Props = { content: ContentRow | null; is_copy: boolean; onClose: () => void; onDone: () => void }
type Values = Pick<ContentDraft, 'title' | 'source_kind' | 'source_id' | 'text' | 'zone' | 'rule_id' | 'priority' | 'weight' | 'targets' | 'offline_ttl_hours'> & { files: Uploaded[]; window: [Dayjs | null, Dayjs | null] | null }
const kindOf = (name: string) => (/\.mp4$/i.test(name) ? '2' : '1')
const rule = { purpose: 'resource', kindOf, prepare: 'library' } as const
const extensions = ['.jpg', '.jpeg', '.png', '.gif', '.mp4']
const kinds = Object.entries(source_names).filter(([value]) => Number(value) !== source.countdown).map(([value, label]) => ({ value: Number(value), label }))

function firstOf(content: ContentRow | null): Values {
  if (content === null) return { title: '', source_kind: source.files, source_id: null, text: '', zone: 'media', rule_id: null, priority: 5, weight: 1, targets: [], offline_ttl_hours: 168, files: [], window: null }
  const { files, valid_from, valid_to, targets, title, source_kind, source_id, text, zone, rule_id, priority, weight, offline_ttl_hours } = content
  return { title, source_kind, source_id, text, zone, rule_id, priority, weight, offline_ttl_hours, targets: plainTargets(targets), files: files.map(file => ({ file_key: file.file_key, file_name: file.name, size: file.bytes })), window: [dayjs(valid_from), valid_to === null ? null : dayjs(valid_to)] }
}

/** What is shown, where, and when. A new one is a draft until it is published. */
export function ContentDialog({ content, is_copy, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'publishing.contentNoText': 'text', 'publishing.contentNoFile': 'files', 'publishing.contentNoPost': 'source_id', 'publishing.contentNoAlbum': 'source_id', 'publishing.contentWindow': 'window', 'publishing.boardOutOfScope': 'targets' })
  const kind = Form.useWatch('source_kind', form) ?? content?.source_kind ?? source.files
  const is_new = content === null || is_copy
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { files = [], window, source_id = null, text = '', ...more } = values
    const draft = { ...more, source_id: source_id ?? null, text, rule_id: more.rule_id ?? null, files: kind === source.files ? files.map(({ file_key, file_name }) => ({ file_key, name: file_name })) : [], valid_from: is_copy ? null : (window?.[0]?.toISOString() ?? null), valid_to: window?.[1]?.toISOString() ?? null }
    if (!(await run(() => (is_new ? call(contentApi.add, draft, { quiet: true }) : call(contentApi.update, { ...draft, id: content.id, row_version: content.row_version }, { quiet: true })), is_new ? '已存为草稿，发布后下发到班牌' : '已保存'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={720} title={is_new ? '新建内容' : '编辑内容'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="content" layout="vertical" className="pub-editor-fields" initialValues={firstOf(content)}>
        <Form.Item name="title" label="标题" rules={[{ required: true, whitespace: true, message: '请填写标题' }]}><Input maxLength={40} showCount /></Form.Item>
        <Form.Item name="source_kind" label="类型"><Select options={kinds} /></Form.Item>
        {kind === source.files && <Form.Item className="pub-wide" name="files" label="图片或视频"><UploadField rule={rule} extensions={extensions} most={30} hint="图片10 MB以内；视频为MP4（H.264）" /></Form.Item>}
        {kind === source.text && <Form.Item className="pub-wide" name="text" label="文字" rules={[{ required: true, whitespace: true, message: '请填写文字' }]}><Input.TextArea rows={3} maxLength={300} showCount /></Form.Item>}
        {kind === source.post && <PostField />}
        {kind === source.album && <AlbumField />}
        <PlacingFields />
        <Form.Item name="weight" label="权重（按权重轮播时）"><InputNumber min={1} max={10} precision={0} /></Form.Item>
        <Form.Item name="offline_ttl_hours" label="离线保留（小时）"><InputNumber min={1} max={720} precision={0} /></Form.Item>
        <Form.Item className="pub-wide" name="window" label="起止时间（结束可不填）"><DatePicker.RangePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" allowEmpty={[true, true]} /></Form.Item>
      </Form>
    </AppModal>
  )
}

function PostField(): ReactNode {
  const posts = useCall(noticeApi.list, { state: '2', page_size: 50 }, { enabled: useCan(noticeApi.list) })
  return <Form.Item className="pub-wide" name="source_id" label="已发布的通知" rules={[{ required: true, message: '请选择一条已发布的通知' }]}><Select showSearch={{ optionFilterProp: 'label' }} loading={posts.isFetching} options={(posts.data?.list ?? []).map(post => ({ value: post.id, label: post.title }))} /></Form.Item>
}

function AlbumField(): ReactNode {
  const pictures = useCall(folderApi.list, { resource_type: 1 }, { enabled: useCan(folderApi.list) })
  const videos = useCall(folderApi.list, { resource_type: 2 }, { enabled: useCan(folderApi.list) })
  const albums = [...(pictures.data?.list ?? []), ...(videos.data?.list ?? [])]
  const options = albums.map(album => ({ value: album.id, label: `${album.name}（${album.items}）` }))
  const rules = [{ required: true, message: '请选择相册' }]
  return (
    <Form.Item className="pub-wide" name="source_id" label="相册" rules={rules} extra="相册增减图片后班牌自动更新，最多播放最新的30个">
      <Select showSearch={{ optionFilterProp: 'label' }} loading={pictures.isFetching} options={options} />
    </Form.Item>
  )
}

/** Where and how important, shared with countdowns. */
export function PlacingFields(): ReactNode {
  return (
    <>
      <Form.Item name="zone" label="显示区域" rules={[{ required: true, message: '请选择显示区域' }]}><Select options={useZones()} /></Form.Item>
      <Form.Item name="priority" label="优先级（9最高）"><InputNumber min={1} max={9} precision={0} /></Form.Item>
      <Form.Item className="pub-wide" name="targets" label="播放位置" rules={[{ required: true, type: 'array', min: 1, message: '请选择播放位置' }]}><TargetField /></Form.Item>
      <Form.Item name="rule_id" label="播放规则"><Select allowClear placeholder="全天" options={useRules()} /></Form.Item>
    </>
  )
}
