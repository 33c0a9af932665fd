import { PlusOutlined } from '@ant-design/icons'
import { Firmware, firmware_kinds, firmwareApi } from '@campus/devices/contract'
import type { DeviceModel } from '@campus/devices/contract'
import { call, Can, confirmDanger, fields, Filters, instantText, ListPage, selectFilter, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useModels } from '../use-devices.ts'
import { useFirmwareChanged } from './use-firmware.ts'

const UploadDialog = lazy(() => import('./upload-dialog.tsx').then(part => ({ default: part.UploadDialog })))
const UpgradeDialog = lazy(() => import('./upgrade-dialog.tsx').then(part => ({ default: part.UpgradeDialog })))
type Opened = { view: 'upload' } | { view: 'upgrade'; firmware: Firmware } | null
const ROW_WIDTH = 110
const kb = 1024

/** 固件包: what was uploaded, for which models. */
export function PackageList(): ReactNode {
  const [opened, open] = useState<Opened>(null)
  const models = useModels().data
  const may_edit = useCan(firmwareApi.create)
  const changed = useFirmwareChanged()
  const list = useResourceList(firmwareApi.list, useMemo(() => packageFields(models ?? []), [models]), { part: 'firmware' })
  const remove = async (firmware: Firmware) => {
    if (!(await confirmDanger({ title: `删除固件 ${firmware.version}？`, touches: '已升级的设备不受影响', ok: '删除' }))) return
    const failed = await call(firmwareApi.delete, { id: firmware.firmware_id }, { quiet: true }).then(() => null, (cause: unknown) => sentenceOf(cause))
    if (failed === null) toast.success('删除成功!')
    else toast.error(failed)
    await changed()
  }
  const row = (firmware: Firmware) => may_edit && (
    <>
      <Button type="link" size="small" aria-label={`升级 ${firmware.version}`} onClick={() => open({ view: 'upgrade', firmware })}>升级</Button>
      <Button type="link" size="small" danger aria-label={`删除 ${firmware.version}`} onClick={() => void remove(firmware)}>删除</Button>
    </>
  )
  return (
    <ListPage of={list} filters={<Filters of={list} show={['model_code', 'kind']} />} actions={<Can code={firmwareApi.upload}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ view: 'upload' })}>上传固件</Button></Can>}>
      <Table of={list} show={['version', 'kind', 'model_code', 'size', 'md5', 'notes', 'uploaded_at', 'tasks']} row={row} row_width={ROW_WIDTH} empty="还没有固件包，点击右上角上传" />
      <Suspense>
        {opened?.view === 'upload' && <UploadDialog onClose={() => open(null)} />}
        {opened?.view === 'upgrade' && <UpgradeDialog chosen={[]} firmware={opened.firmware} onClose={() => open(null)} />}
      </Suspense>
    </ListPage>
  )
}

function packageFields(models: readonly DeviceModel[]) {
  return fields(Firmware, 'firmware_id', {
    version: { label: '版本号', width: 150, default_action: true },
    kind: { label: '类型', width: 92, cell: row => firmware_kinds[row.kind], filter: selectFilter('kind', Object.entries(firmware_kinds).map(([value, label]) => ({ value, label }))) },
    model_code: { label: '适用型号', width: 140, cell: row => row.model_codes.join('、'), filter: selectFilter('model_code', models.filter(model => model.firmware_kinds.length > 0).map(model => ({ value: model.model_code, label: model.model_code }))) },
    size: { label: '大小', width: 88, cell: row => (row.size < kb * kb ? `${Math.ceil(row.size / kb)} KB` : `${(row.size / kb / kb).toFixed(1)} MB`) },
    md5: { label: 'MD5', width: 110, cell: row => <span title={row.md5}>{`${row.md5.slice(0, 10)}…`}</span> },
    notes: { label: '说明', width: 200, cell: row => `${row.is_signed ? '厂家签名已核对。' : ''}${row.allow_downgrade ? '可用于降级。' : ''}${row.notes ?? ''}` },
    uploaded_at: { label: '上传', width: 150, cell: row => <>{instantText(row.uploaded_at)}<small className="device-quiet">{row.uploaded_by_name ?? '系统'}</small></> },
    tasks: { label: '升级任务', width: 84, cell: row => row.tasks },
  })
}
