import { most_staff_depts } from '@campus/people/contract'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { StaffDeptSelect } from './staff-dept-select.tsx'

export type PostValue = { dept_id?: string; position?: string | null }
const needed = [{ required: true, message: '请选择部门' }]
const short = [{ max: 30, message: '超过30个字' }]

/** Departments with positions: the first one is the primary one, which an existing file changes by 调部门 alone. */
export function PostLines({ primary }: { primary: string | undefined }): ReactNode {
  return (
    <Form.Item label="部门与岗位" className="staff-wide" required extra={primary === undefined ? '第一行为主部门，其余为兼任部门' : '主部门请用“调部门”办理；兼任部门可以在这里增减'}>
      <Form.List name="depts">
        {(lines, { add, remove }) => (
          <>
            {lines.map((line, at) => (
              <div key={line.key} className="staff-post">
                <Form.Item name={[line.name, 'dept_id']} rules={needed}>
                  <StaffDeptSelect label={`部门${at + 1}`} disabled={primary !== undefined && at === 0} />
                </Form.Item>
                <Form.Item name={[line.name, 'position']} rules={short}>
                  <Input aria-label={`岗位${at + 1}`} placeholder="岗位（选填）" />
                </Form.Item>
                <Button disabled={at === 0} aria-label={`移除部门${at + 1}`} onClick={() => remove(line.name)}>移除</Button>
              </div>
            ))}
            <Button icon={<PlusOutlined aria-hidden />} disabled={lines.length >= most_staff_depts} onClick={() => add({ position: null })}>添加兼任部门</Button>
          </>
        )}
      </Form.List>
    </Form.Item>
  )
}
