import { sensitive_tag_code, tag_colors, tagApi, TagName } from '@campus/people/contract'
import type { TagRow } from '@campus/people/contract'
import { AppModal, call, leaving, readStored, ruleOf, useCan, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input, Radio } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { RuleFields, ruleIn } from './rule-fields.tsx'
import type { RuleValues } from './rule-fields.tsx'
import { TagChip } from './tag-chip.tsx'
import { kindOptions } from './tag-words.ts'
import { useTagsChanged } from './use-tags.ts'

type Values = { tag_name: string; color: TagRow['color']; is_sensitive: boolean; kind: TagRow['kind']; person_kinds: TagRow['person_kinds']; rule: RuleValues }

const color_names: Readonly<Record<TagRow['color'], string>> = { blue: '蓝', cyan: '青', green: '绿', gold: '金', orange: '橙', red: '红', magenta: '洋红', purple: '紫' }
const pupils_only = 1

/** Makes a tag, or changes one; a tag given by hand never becomes one of a rule, nor the other way round. */
export function TagDialog({ tag, onClose }: { tag: TagRow | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const kind = Form.useWatch('kind', form) ?? tag?.kind ?? 'manual'
  const school_type = Number(readStored('school_type') ?? pupils_only)
  const may_hide = useCan(sensitive_tag_code)
  const [wrong_rule, setWrongRule] = useState(false)
  const { busy, refused, run } = useSaving(form)
  const changed = useTagsChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const rule = kind === 'rule' ? ruleIn(values.rule) : undefined
    setWrongRule(rule === null)
    if (rule === null || !(await run(() => send(tag, values, rule), tag ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
  }
  const initial = { tag_name: tag?.tag_name ?? '', color: tag?.color ?? 'blue', is_sensitive: tag?.is_sensitive ?? false, kind: tag?.kind ?? 'manual', person_kinds: tag?.person_kinds ?? [kindOptions(school_type)[0]?.value], rule: tag?.rule ?? {} }
  return (
    <AppModal open width={720} title={tag ? `编辑标签：${tag.tag_name}` : '新增标签'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="tag" layout="vertical" initialValues={initial}>
        <Form.Item name="tag_name" label="名称" required rules={[ruleOf(TagName)]}><Input maxLength={12} showCount placeholder="例如：特长生" /></Form.Item>
        <Form.Item name="color" label="颜色">
          <Radio.Group className="tag-colors" options={tag_colors.map(value => ({ value, label: <TagChip name={color_names[value]} color={value} /> }))} />
        </Form.Item>
        {!tag && school_type === pupils_only && (
          <Form.Item name="kind" label="添加方式" extra={kind === 'rule' ? '符合下面全部条件的学生自动带有该标签，不能手动添加或移除。' : '在名册中勾选人员后“打标签”，或打开标签添加人员。'}>
            <Radio.Group options={[{ value: 'manual', label: '手动添加' }, { value: 'rule', label: '按规则自动匹配' }]} />
          </Form.Item>
        )}
        {!tag && kind === 'manual' && (
          <Form.Item name="person_kinds" label="适用人员" required rules={[{ required: true, message: '请选择适用人员' }]}>
            <Checkbox.Group options={kindOptions(school_type)} />
          </Form.Item>
        )}
        {kind === 'rule' && <RuleFields form={form} wrong={wrong_rule} />}
        {may_hide && <Form.Item name="is_sensitive" valuePropName="checked"><Checkbox>敏感标签：只有“查看敏感标签”权限的人能看到，变更记录中也不显示它</Checkbox></Form.Item>}
      </Form>
    </AppModal>
  )
}

function send(tag: TagRow | null, { tag_name, color, is_sensitive = false, person_kinds = [pupils_only] }: Values, rule: NonNullable<ReturnType<typeof ruleIn>> | undefined): Promise<unknown> {
  if (tag) return call(tagApi.update, { id: tag.id, row_version: tag.row_version, tag_name, color, is_sensitive, rule }, { quiet: true })
  return call(tagApi.add, { tag_name, color, is_sensitive, person_kinds: rule ? [pupils_only] : person_kinds, rule }, { quiet: true })
}
