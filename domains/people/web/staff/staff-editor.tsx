import { staff_props, staff_registry, staff_rules, staffFileApi } from '@campus/people/contract'
import type { StaffFile, StaffProp } from '@campus/people/contract'
import { required_msg } from '@kit/contract'
import { AppDrawer, call, CallError, mayDiscard, ruleOf, toast, useDictionary } from '@kit/web'
import { Alert, Button, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { CustomItems } from '../field/custom-items.tsx'
import { LoadFailed } from '../load-failed.tsx'
import { PlateField } from '../plate-field.tsx'
import { tellRefusal, validated } from '../refused.ts'
import { FileSkeleton } from '../student-file/file-skeleton.tsx'
import { changedExt } from '../student-file/form-values.ts'
import '../student-file/student-file.css'
import { RoleField } from './extra-fields.tsx'
import { PostLines } from './post-lines.tsx'
import type { PostValue } from './post-lines.tsx'
import { useRefreshStaff, useStaffFile } from './use-staff-file.ts'
import { staffWord } from './words.ts'

type Values = Partial<Record<StaffProp, string | null>> & { depts: PostValue[]; plates: string[]; role_ids?: string[]; ext?: Record<string, string | null> }
type Props = { user_id?: string; dept_id?: string; onClose: () => void }
const Warned = z.object({ warnings: z.array(z.object({ field: z.string(), msg: z.string() })) })
const homes = { 'people.teacherNoTaken': 'teacher_no', 'people.userNoTaken': 'teacher_no', 'people.mobileTaken': 'mobile', 'people.idNoTaken': 'id_no', 'people.plateTaken': 'plates' }
const hints: Partial<Record<StaffProp, string>> = { join_month: '如 202509', work_month: '如 200707', birthday: '如 19850615' }

/** 新增 or 编辑: the fields of the template in its order, and the departments. */
export function StaffEditor({ user_id, dept_id, onClose }: Props): ReactNode {
  const { file, failed, refresh } = useStaffFile(user_id, { once: true })
  const [form] = Form.useForm<Values>()
  const saving = useSave(file, onClose)
  const close = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const save = async (accept: readonly string[] = []) => {
    const values = await validated(form)
    if (values) await saving.run(values, accept, cause => tellRefusal(form, cause, homes), fields => void save(fields))
  }
  const ready = user_id === undefined || file !== undefined
  return (
    <AppDrawer title={user_id === undefined ? `新增${staffWord()}` : `编辑${staffWord()}`} size={880} onClose={() => void close()} extra={<Button type="primary" disabled={!ready} loading={saving.busy} onClick={() => void save()}>保存</Button>}>
      {failed !== null && <LoadFailed text={failed} again={refresh} />}
      {!ready && failed === null && <FileSkeleton />}
      {saving.refused !== null && <Alert className="change-refused" type="error" showIcon title={saving.refused} />}
      {ready && (
        <Form form={form} layout="vertical" initialValues={valuesOf(file, dept_id)}>
          <div className="staff-form">
            {staff_props.map(prop => <Item key={prop} prop={prop} mask={file?.masked.includes(prop) ? file.registry[prop] : null} />)}
            <PlateField />
            <RoleField />
          </div>
          <CustomItems facet="staff" custom={file?.custom} grid="staff-form" />
          <PostLines primary={file?.depts.find(dept => dept.is_primary)?.dept_id} />
        </Form>
      )}
    </AppDrawer>
  )
}

/** Every field has a value from the beginning: one that is left alone is empty, not unknown, and passes where it may be empty. */
function valuesOf(file: StaffFile | undefined, dept_id: string | undefined): Values {
  if (!file) return { ...Object.fromEntries(staff_props.map(prop => [prop, null])), depts: [{ dept_id, position: null }], plates: [], role_ids: [] }
  return { ...file.registry, depts: file.depts.map(({ dept_id: id, position }) => ({ dept_id: id, position })), plates: file.plates, role_ids: file.roles.map(role => role.id), ext: extOf(file) }
}

function extOf(file: StaffFile | undefined): Record<string, string | null> {
  return Object.fromEntries((file?.custom ?? []).map(field => [field.field_code, field.value]))
}

/** One field; a mask that stands untouched is not looked at. */
function Item({ prop, mask }: { prop: StaffProp; mask: string | null }): ReactNode {
  const { label, dict, firm } = staff_registry[prop]
  const form_rule = ruleOf(staff_rules[prop])
  const rules = [...(firm ? [{ required: true, whitespace: true, message: required_msg }] : []), ...(mask === null ? [form_rule] : [])]
  return (
    <Form.Item name={prop} label={label} rules={rules}>
      {dict === undefined ? <Input autoComplete="off" placeholder={hints[prop]} /> : <CodeSelect type={dict} />}
    </Form.Item>
  )
}

function CodeSelect({ id, type, value, onChange }: { id?: string; type: string; value?: string | null; onChange?: (value: string | null) => void }): ReactNode {
  return <Select id={id} showSearch={{ optionFilterProp: 'label' }} allowClear options={useDictionary(type)} value={value || undefined} onChange={(code?: string) => onChange?.(code ?? null)} />
}

/** Saves, asks for what must be confirmed, and keeps what was typed when it is refused. */
function useSave(file: StaffFile | undefined, onClose: () => void) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const refresh = useRefreshStaff()
  const run = async (values: Values, accept: readonly string[], tell: (cause: unknown) => string | null, again: (fields: string[]) => void) => {
    setBusy(true)
    setRefused(null)
    try {
      await send(file, values, accept)
      toast.success('保存成功')
      refresh()
      onClose()
    } catch (cause) {
      const warned = cause instanceof CallError ? Warned.safeParse(cause.data) : null
      if (warned?.success) askConfirm(warned.data.warnings, again)
      else setRefused(tell(cause))
    } finally {
      setBusy(false)
    }
  }
  return { busy, refused, run }
}

function askConfirm(warnings: readonly { field: string; msg: string }[], again: (fields: string[]) => void): void {
  Modal.confirm({ title: '请核对', content: warnings.map(one => one.msg).join('；'), okText: '确认无误，保存', cancelText: '返回修改', onOk: () => again(warnings.map(one => one.field)) })
}

async function send(file: StaffFile | undefined, values: Values, accept: readonly string[]): Promise<void> {
  const depts = values.depts.flatMap(({ dept_id, position }) => (dept_id ? [{ dept_id, position: position || null }] : []))
  const more = { depts, plates: values.plates, role_ids: values.role_ids, ext: changedExt(extOf(file), values.ext), accept_warnings: [...accept] }
  if (file) {
    const changed = Object.fromEntries(staff_props.filter(prop => (values[prop] || null) !== file.registry[prop]).map(prop => [prop, values[prop] || null]))
    await call(staffFileApi.update, { ...changed, user_id: file.user_id, row_version: file.row_version, ...more }, { quiet: true })
    return
  }
  const { user_name, sex, teacher_no, mobile, kind, join_month, depts: _, plates: __, role_ids: ___, ext: ____, ...rest } = values
  const filled = Object.fromEntries(Object.entries(rest).filter(([, value]) => value))
  const firm = { user_name: user_name ?? '', sex: sex ?? '', teacher_no: teacher_no ?? '', mobile: mobile ?? '', kind: kind ?? '', join_month: join_month ?? '' }
  await call(staffFileApi.create, { ...filled, ...firm, ...more }, { quiet: true })
}
