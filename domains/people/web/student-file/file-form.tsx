import type { IdFacts, PersonFile, RegistryProp } from '@campus/people/contract'
import { parseIdCard } from '@kit/contract/checks'
import { Checkbox, Form, Input, Radio } from 'antd'
import type { FormInstance, FormRule } from 'antd'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { CustomItems } from '../field/custom-items.tsx'
import { ClassSelect } from './class-select.tsx'
import type { FileValues } from './form-values.ts'
import { GuardianLines } from './guardian-lines.tsx'
import { RegistryItem } from './registry-field.tsx'
import { idNoRule, noticeRule } from './rules.ts'
import { sections } from './sections.ts'

/** Names the form, so that its fields have ids of their own. */
export const form_name = 'student-file'

const class_id = `${form_name}_class`

type FormOf = FormInstance<FileValues>

/** The form of a file in four sections. Class and state of a known pupil are not in it: they change by 调班 and the like. */
export function FileForm({ form, file, before }: { form: FormOf; file?: PersonFile; before: FileValues }): ReactNode {
  const no_document: boolean | undefined = Form.useWatch('no_document', form)
  return (
    <Form form={form} name={form_name} layout="vertical" initialValues={before} onValuesChange={changed => fillFromIdNo(form, changed)} className="file-form" scrollToFirstError>
      {sections.map(({ key, title, props }) => (
        <section key={key} aria-label={title}>
          <h3>{title}</h3>
          <div className="file-grid">
            {key === 'roll' && <HomeClass file={file} />}
            {props.map(prop => (
              <Fragment key={prop}>
                <RegistryItem prop={prop} mask={maskOf(prop, file)} {...extraOf(prop, form, before, no_document)} />
                {prop === 'id_no' && (
                  <Form.Item name="no_document" valuePropName="checked" label="证件情况">
                    <Checkbox>无证件</Checkbox>
                  </Form.Item>
                )}
              </Fragment>
            ))}
          </div>
        </section>
      ))}
      <CustomItems facet="student" custom={file?.custom} />
      <section aria-label="家长">
        <h3>家长</h3>
        <GuardianLines form={form} before={before} />
      </section>
    </Form>
  )
}

const entry_kinds = [
  { value: 'IN', label: '转入' },
  { value: 'ENROL', label: '新生入学' },
]

function HomeClass({ file }: { file: PersonFile | undefined }): ReactNode {
  if (file) {
    return (
      <Form.Item label="班级" htmlFor={class_id}>
        <Input id={class_id} value={file.dept_name ?? '—'} disabled />
      </Form.Item>
    )
  }
  return (
    <>
      <Form.Item name="dept_id" label="班级" rules={[{ required: true, message: '请选择班级' }]}>
        <ClassSelect />
      </Form.Item>
      <Form.Item name="change_kind" label="入校类型">
        <Radio.Group options={entry_kinds} />
      </Form.Item>
    </>
  )
}

function maskOf(prop: RegistryProp, file: PersonFile | undefined): string | null {
  return file?.masked.includes(prop) ? file.registry[prop] : null
}

type Extra = { more?: FormRule[]; disabled?: boolean; demanded?: boolean }

/** Document and number stand together, and are compared with sex and birthday while typing. */
function extraOf(prop: RegistryProp, form: FormOf, before: FileValues, no_document: boolean | undefined): Extra {
  const facts = () => factsOf(form, before)
  if (prop === 'sex' || prop === 'birthday') return { more: [noticeRule(prop, facts)] }
  if (prop !== 'id_type' && prop !== 'id_no') return {}
  if (no_document) return { disabled: true, demanded: false, more: [{ required: false }] }
  const demanded = { required: true, message: '必填项不能为空' }
  const own = prop === 'id_no' ? [idNoRule(() => form.getFieldValue('id_type'), before.id_no), noticeRule('id_no', facts)] : []
  return { demanded: true, more: [demanded, ...own] }
}

/** Nothing is compared with a mask. */
function factsOf(form: FormOf, before: FileValues): IdFacts {
  const { sex, birthday, id_type, id_no } = form.getFieldsValue(true)
  return id_no === before.id_no ? {} : { sex, birthday, id_type, id_no }
}

/** A whole resident number tells sex and birthday where nothing is said yet. */
function fillFromIdNo(form: FormOf, changed: Partial<FileValues>): void {
  const { id_no } = changed
  if (!id_no || form.getFieldValue('id_type') !== '1') return
  const card = parseIdCard(id_no.trim())
  if (!card?.birthday) return
  if (!form.getFieldValue('sex')) form.setFieldValue('sex', card.sex)
  if (!form.getFieldValue('birthday')) form.setFieldValue('birthday', card.birthday)
  void form.validateFields(['sex', 'birthday']).catch(() => undefined)
}
