import { teachingApi } from '@campus/teaching/contract'
import type { TaskRow } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import { useCan, useDictionary } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Button, Form, InputNumber, Select, Space } from 'antd'
import type { ReactNode } from 'react'

const dims = [{ value: 'grade', label: '年级' }, { value: 'dept', label: '班级' }, { value: 'sex', label: '性别' }]
const sexes = [{ value: '1', label: '男' }, { value: '2', label: '女' }]
const most_quotas = 40

/** 名额分配: at most so many seats for a grade, a class or a sex; for first-come tasks. */
export function QuotaFields({ task }: { task: TaskRow }): ReactNode {
  const may_look = useCan(teachingApi.matrix)
  const matrix = useCall(teachingApi.matrix, { semester_id: task.semester_id }, { enabled: may_look })
  const grades = useDictionary('GRADE')
  const options: Readonly<Record<string, { value: string; label: string }[]>> = {
    grade: grade_codes.filter(code => task.grades.includes(code))
      .map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value })),
    dept: (matrix.data?.classes ?? []).flatMap(one => (one.dept_id !== null && task.grades.includes(one.grade)
      ? [{ value: one.dept_id, label: one.name }] : [])),
    sex: sexes,
  }
  return (
    <Form.Item label="名额分配" extra="可限制某年级、班级或性别最多几人，不填则不限" className="teaching-wide">
      <Form.List name="quotas">
        {(fields, { add, remove }) => (
          <>
            {fields.map(({ key, name }) => (
              <Space key={key} align="baseline">
                <Form.Item name={[name, 'dim']} rules={[{ required: true, message: '请选择' }]}><Select aria-label="分配方式"
                  className="teaching-grade" options={dims} /></Form.Item>
                <Form.Item noStyle dependencies={[['quotas', name, 'dim']]}>
                  {({ getFieldValue }) => <Form.Item name={[name, 'value']} rules={[{ required: true, message: '请选择对象' }]}><Select
                    aria-label="对象" className="teaching-term" options={options[String(getFieldValue(['quotas', name,
                    'dim']))] ?? []} /></Form.Item>}
                </Form.Item>
                <Form.Item name={[name, 'cap']} rules={[{ required: true, message: '请填写名额' }]}><InputNumber aria-label="名额" min={0}
                  max={5000} precision={0} suffix="人" /></Form.Item>
                <Button type="link" danger onClick={() => remove(name)}>删除</Button>
              </Space>
            ))}
            {fields.length < most_quotas && <Button onClick={() => add({ dim: 'grade' })}>添加</Button>}
          </>
        )}
      </Form.List>
    </Form.Item>
  )
}
