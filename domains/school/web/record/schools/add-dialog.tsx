import { school_type_names, schoolManageApi } from '@campus/school/contract'
import type { Reply } from '@kit/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Button, Form, Input, InputNumber, Radio, Typography } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { schoolPorts } from '../../ports.ts'
import { PasswordItem } from './password-item.tsx'

type Added = Reply<typeof schoolManageApi.add>
type Values = { school_id: number | null; school_name: string; school_type: 1 | 2; admin_name: string; admin_account: string; password: string }

const shape = schoolManageApi.add.details.body?.shape
const kinds = Object.entries(school_type_names).map(([value, label]) => ({ value: Number(value), label }))

/** Makes a school with its first administrator; his password is shown once. */
export function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const [added, setAdded] = useState<Added | null>(null)
  const save = async () => {
    const values = await validValues(form)
    if (values && (await run(async () => setAdded(await send(values)), '新增成功'))) await onAdded()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  if (added) return <AddedDialog added={added} onClose={onClose} />
  return (
    <AppModal open width={560} title="新增学校" okText="新增" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="record-refused" />}
      <Form form={form} name="school-add" layout="vertical" initialValues={{ school_type: 1 }}>
        <Form.Item name="school_name" label="学校名称" required rules={shape && [ruleOf(shape.school_name)]}><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="school_type" label="类型" extra="新增后不能修改"><Radio.Group options={kinds} /></Form.Item>
        <Form.Item name="school_id" label="学校编号" extra="登录地址的一部分；不填则自动编号，新增后不能修改" rules={[wholeRule(1, 2_147_483_647)]}><InputNumber precision={0} parser={readNumber} /></Form.Item>
        <Form.Item name="admin_name" label="首位管理员姓名" required rules={shape && [ruleOf(shape.admin_name)]}><Input maxLength={50} /></Form.Item>
        <Form.Item name="admin_account" label="管理员登录账号" required extra="5至11位字母、数字或下划线" rules={shape && [ruleOf(shape.admin_account)]}><Input maxLength={30} autoComplete="off" /></Form.Item>
        <PasswordItem />
      </Form>
    </AppModal>
  )
}

async function send({ password, school_id, ...school }: Values): Promise<Added> {
  const recheck_token = await schoolPorts().recheck(password)
  return call(schoolManageApi.add, { ...school, ...(school_id ? { school_id } : {}), recheck_token }, { quiet: true })
}

function AddedDialog({ added: { school_id, admin_account, password }, onClose }: { added: Added; onClose: () => void }): ReactNode {
  return (
    <AppModal open width={480} title="学校已新增" closable={false} onOk={onClose} footer={<Button type="primary" onClick={onClose}>我已记下</Button>}>
      <Alert type="warning" showIcon title="密码只显示这一次，首次登录须修改" />
      <dl className="record-issued">
        <dt>登录地址</dt><dd><Typography.Text copyable>{`${window.location.origin}/${school_id}`}</Typography.Text></dd>
        <dt>账号</dt><dd><Typography.Text copyable>{admin_account}</Typography.Text></dd>
        <dt>初始密码</dt><dd><Typography.Text copyable code>{password}</Typography.Text></dd>
      </dl>
    </AppModal>
  )
}
