import { committeeApi, mostHolders, post_names } from '@campus/evaluation/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Form, InputNumber } from 'antd'
import type { ReactNode } from 'react'

type Props = { onClose: () => void; onDone: () => void }
type Saved = { limits: Record<string, number>; row_version: number }

/** 班委人数: how many may hold each post of a class at a time, for the whole school. */
export function LimitDialog(props: Props): ReactNode {
  const query = useCall(committeeApi.limits, {})
  return <Loaded query={query}>{saved => <Limits key={saved.row_version} saved={saved} {...props} />}</Loaded>
}

function Limits({ saved: { limits, row_version }, onClose, onDone }: Props & { saved: Saved }): ReactNode {
  const [form] = Form.useForm<Record<string, number>>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(committeeApi.setLimits, { limits: values, row_version }, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  const initial = Object.fromEntries(Object.keys(post_names).map(code => [code, mostHolders(code, limits)]))
  return (
    <AppModal open width={520} title="班委人数" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="star-hint">每班每个职务同时最多几人；课代表按每门课程计算。已任职的不受影响，下次调整班委时生效。</p>
      <Form form={form} name="committee-limits" layout="vertical" initialValues={initial}>
        <div className="star-pair">
          {Object.entries(post_names).map(([code, name]) => (
            <Form.Item key={code} name={code} label={name} rules={[{ required: true, message: '请填写人数' }, wholeRule(1, 20)]}>
              <InputNumber parser={readNumber} precision={0} className="kit-fill" suffix="人" />
            </Form.Item>
          ))}
        </div>
      </Form>
    </AppModal>
  )
}
