import type { UpgradePlan } from '@campus/people/contract'
import { useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker, Form, Input } from 'antd'
import type { ReactNode } from 'react'

type Values = { school_year: string; effective_on: string }
type Props = { next: Values; last: UpgradePlan | null; create: (school_year: string, effective_on: string) => Promise<unknown> }

/** A day is kept as its text. */
const day_item = { getValueProps: (day?: string) => ({ value: day ? dayjs(day) : null }), normalize: (day: dayjs.Dayjs | null) => day?.format('YYYY-MM-DD') }

const steps = [
  ['定去向', '每个年级和班级升入下一年级、毕业，或在本校升入下一学段'],
  ['例外', '留级、跳级、换班、不再升入的学生单独处理'],
  ['模拟对比', '逐班核对升级前后的名称和人数，查看会受影响的规则'],
  ['签署', '由另一位管理员核对后签署，方案有变动须重新签署'],
  ['执行', '一次完成，全校学生不用逐个调班；30 天内可以回滚'],
] as const

/** Draws up a new plan; school year and day are proposed. */
export function StartPanel({ next, last, create }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const submit = async () => {
    const values = await validValues(form)
    if (values) await run(() => create(values.school_year, values.effective_on), '方案已建立')
  }
  return (
    <section className="up-panel" aria-label="新建方案">
      <p>系统先按年级排好每个班级的去向，您只需调整例外。模拟、签署之前不会改动任何数据。</p>
      {last !== null && <p>上一次：{last.school_year}学年，{last.state === 'rolled_back' ? '已回滚' : '已完成'}。</p>}
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} layout="inline" initialValues={next} onFinish={() => void submit()}>
        <Form.Item name="school_year" label="学年" rules={[{ required: true, pattern: /^\d{4}-\d{4}$/, message: '学年格式为2026-2027' }]}>
          <Input maxLength={9} />
        </Form.Item>
        <Form.Item name="effective_on" label="生效日期" rules={[{ required: true, message: '请选择生效日期' }]} {...day_item}>
          <DatePicker />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={busy}>新建升级方案</Button>
      </Form>
      <ol className="up-intro" aria-label="升级的五个步骤">
        {steps.map(([title, words]) => <li key={title}><b>{title}</b><span>{words}</span></li>)}
      </ol>
    </section>
  )
}
