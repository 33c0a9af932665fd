import { most_passes, passes_reason_above, passEventApi } from '@campus/devices/contract'
import { call, downloadFile, useDictionary } from '@kit/web'
import { Form, Input, Select, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { DayExport } from '../day-export.tsx'
import type { DayExportQuestion } from '../day-export-dialog.tsx'
import { DeviceChoice } from '../device-choice.tsx'
import type { PlaceChoice } from '../use-places.ts'

const longest_word = 64
const count: DayExportQuestion['count'] = {
  most: most_passes, reason_above: passes_reason_above,
  read: async ({ filters, ...days }, signal) => (await call(passEventApi.count, { ...days, ...filters }, { signal, quiet: true })).count,
}

/** 导出 of passes, which begins with the place that the page shows; the cards that readers have seen are no passes. */
export function PassExport({ place_id, places }: { place_id: string | undefined; places: readonly PlaceChoice[] }): ReactNode {
  return (
    <DayExport
      code={passEventApi.export} title="导出通行记录" what="通行记录" kept="24 小时" count={count} initial={{ place_id }} fields={<PassFields places={places} />}
      run={({ filters, ...asked }) => downloadFile(passEventApi.export, { ...asked, ...filters }, { quiet: true })}
    />
  )
}

function PassFields({ places }: { places: readonly PlaceChoice[] }): ReactNode {
  const results = useDictionary('PASS_STATE')
  return (
    <>
      <Form.Item name={['filters', 'place_id']} label="场所（含下级）"><TreeSelect allowClear placeholder="全部场所" showSearch={{ treeNodeFilterProp: 'title' }} treeData={[...places]} treeDefaultExpandedKeys={places.map(place => place.value)} /></Form.Item>
      <Form.Item name={['filters', 'device_id']} label="设备"><DeviceChoice placeholder="全部设备" nothing="还没有设备" /></Form.Item>
      <Form.Item name={['filters', 'keyword']} label="姓名或编号"><Input allowClear maxLength={longest_word} placeholder="全部人员" /></Form.Item>
      <Form.Item name={['filters', 'pass_state']} label="结果"><Select allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="全部结果" options={[...results]} /></Form.Item>
    </>
  )
}
