import { most_guardians } from '@campus/people/contract'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Form, Radio, Tag } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import type { FileValues } from './form-values.ts'
import { GuardianItem } from './registry-field.tsx'
import { idNoRule, noticeRule } from './rules.ts'

type Form_ = FormInstance<FileValues>

const add_id = 'student-file-add-guardian'

/** The guardians of the form: up to six, one of them first. */
export function GuardianLines({ form, before }: { form: Form_; before: FileValues }): ReactNode {
  return (
    <Form.List name="parents">
      {(lines, { add, remove }) => (
        <>
          {lines.map(({ key, name }) => (
            <GuardianLine key={key} at={name} form={form} before={before} remove={lines.length > 1 ? () => removeLine(() => remove(name)) : undefined} />
          ))}
          {lines.length < most_guardians && (
            <Button id={add_id} type="dashed" block icon={<PlusOutlined aria-hidden />} onClick={() => add({ is_first: lines.length === 0, is_guardian: true, can_pickup: true })}>
              添加家长
            </Button>
          )}
        </>
      )}
    </Form.List>
  )
}

/** The button goes with its line, so the focus moves on: the keys of the drawer need it inside. */
function removeLine(remove: () => void): void {
  remove()
  requestAnimationFrame(() => document.getElementById(add_id)?.focus())
}

function GuardianLine({ at, form, before, remove }: { at: number; form: Form_; before: FileValues; remove: (() => void) | undefined }): ReactNode {
  const user_id: string | undefined = Form.useWatch(['parents', at, 'user_id'], { form, preserve: true })
  const known = before.parents?.find(parent => parent.user_id !== undefined && parent.user_id === user_id)
  const is_locked = known?.is_locked ?? false
  const valueAt = (name: 'id_type' | 'id_no') => form.getFieldValue(['parents', at, name])
  const facts = () => (valueAt('id_no') === known?.id_no ? {} : { id_no: valueAt('id_no'), id_type: valueAt('id_type') || '1' })
  const chooseFirst = () => {
    const parents = form.getFieldValue('parents') ?? []
    parents.forEach((_: unknown, other: number) => form.setFieldValue(['parents', other, 'is_first'], other === at))
  }
  return (
    <fieldset className="file-guardian">
      <legend>
        家长{at + 1} {is_locked && <Tag color="blue">本校教职工或学生，姓名与号码请在其档案中修改</Tag>}
      </legend>
      <div className="file-grid">
        <GuardianItem at={at} prop="user_name" disabled={is_locked} />
        <GuardianItem at={at} prop="relation" />
        <GuardianItem at={at} prop="mobile" mask={known?.mobile} disabled={is_locked} />
        <GuardianItem at={at} prop="id_type" disabled={is_locked} />
        <GuardianItem at={at} prop="id_no" mask={known?.id_no} disabled={is_locked} more={[idNoRule(() => valueAt('id_type'), known?.id_no), noticeRule('id_no', facts)]} />
        <GuardianItem at={at} prop="work" />
        <GuardianItem at={at} prop="edu" />
      </div>
      <div className="file-flags">
        <Form.Item name={[at, 'is_first']} valuePropName="checked" noStyle>
          <Radio onChange={chooseFirst}>第一联系人</Radio>
        </Form.Item>
        <Form.Item name={[at, 'is_guardian']} valuePropName="checked" noStyle>
          <Checkbox>监护人</Checkbox>
        </Form.Item>
        <Form.Item name={[at, 'can_pickup']} valuePropName="checked" noStyle>
          <Checkbox>可接送</Checkbox>
        </Form.Item>
        {remove && (
          <Button type="text" danger size="small" icon={<DeleteOutlined aria-hidden />} onClick={remove}>
            移除家长{at + 1}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
