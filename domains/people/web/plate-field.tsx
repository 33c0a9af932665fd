import { most_plates, platesFault } from '@campus/people/contract'
import { Form, Select } from 'antd'
import type { ReactNode } from 'react'

const plate_rule = [{ validator: (_: unknown, plates: string[] = []) => refuse(platesFault(plates)) }]

function refuse(msg: string | null): Promise<void> {
  return msg === null ? Promise.resolve() : Promise.reject(new Error(msg))
}

/** 车牌号: typed one after the other. */
export function PlateField(): ReactNode {
  return (
    <Form.Item name="plates" label="车牌号" rules={plate_rule} extra={`输入后按回车，最多${most_plates}个`}>
      <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={['；', ';', '，', ',', ' ']} placeholder="如 鲁B00000" />
    </Form.Item>
  )
}
