import { deviceApi } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { Can, downloadFile, Filters, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { ChosenDevices, DeviceActs, DeviceDialogs, RowActs, useDeviceDoor } from './device-doors.tsx'
import type { DeviceDoor } from './device-doors.tsx'
import { DeviceOrder } from './device-order.tsx'
import { deviceFields } from './device.fields.tsx'
import { HeldPlans } from './held-plans.tsx'
import { StateStrip } from './state-strip.tsx'
import { useDeviceStates, useModels } from './use-devices.ts'
import { usePlaceChoices } from './use-places.ts'
import './devices.css'

const ROW_WIDTH = 190

/** 设备管理: every device of the school, what it is doing and where it stands. */
export default function DeviceControl(): ReactNode {
  const places = usePlaceChoices()
  const models = useModels().data
  const door = useDeviceDoor()
  const may_edit = useCan(deviceApi.update)
  const list = useResourceList(deviceApi.list, useMemo(() => deviceFields(places, models ?? []), [places, models]))
  useDeviceStates()
  const chosen = list.rows.filter(row => list.selected.includes(row.device_id))
  return (
    <ListPage
      of={list}
      head={<><HeldPlans /><StateStrip values={list.values} filterBy={patch => list.filterBy(patch)} /></>}
      filters={<Filters of={list} show={['keyword', 'device_type', 'place_id', 'device_state', 'model_code', 'queue', 'drift', 'retired']} />}
      batch={chosen.length > 0 && <ChosenDevices door={door} chosen={chosen} onDone={() => list.select([])} />}
      actions={<><DeviceOrder sort={list.values.sort} choose={sort => list.filterBy({ sort })} /><DeviceActs door={door} /></>}
      more={
        <>
          <ExportButton
            code={deviceApi.export} title="导出设备" total={list.total} unit="台"
            run={() => downloadFile(deviceApi.export, askedOf(list.values), { quiet: true })}
          />
          <Can code={deviceApi.create}><Button onClick={() => door.open({ view: 'claim' })}>认领设备</Button></Can>
        </>
      }
    >
      <Table
        of={list}
        show={['device_name', 'device_type', 'model_code', 'node_path_name', 'direction', 'device_state', 'sync', 'clock_skew_ms', 'is_push']}
        more={['firmware_version', 'device_sn', 'ip', 'parent_name', 'note']}
        row={rowActs(door)}
        row_width={ROW_WIDTH}
        selectable={may_edit}
        empty="没有符合条件的设备，可以换个条件，或点击新增设备"
      />
      <DeviceDialogs door={door} />
    </ListPage>
  )
}

/** The filters of the list as its export asks for them. */
function askedOf(values: Readonly<Record<string, string | undefined>>): Request<typeof deviceApi.export> {
  return Object.fromEntries(['device_type', 'place_id', 'device_state', 'model_code', 'retired', 'queue', 'drift', 'keyword'].flatMap(name => (values[name] === undefined ? [] : [[name, values[name]]])))
}

function rowActs(door: DeviceDoor): (row: Device) => ReactNode {
  return row => <RowActs row={row} door={door} />
}
