import { convertPoint, map_systems, mapAddress, mapSystem, readPoint, schoolApi } from '@campus/school/contract'
import type { MapPoint, MapSystem, SchoolDetail } from '@campus/school/contract'
import { call, readStored } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Select, Space } from 'antd'
import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { schoolPorts } from '../ports.ts'
import { degreesOf, most_degrees, sixDigits } from './degrees.ts'
import { MapGrid } from './map-grid.tsx'

const systems: readonly MapSystem[] = [1, 2, 3]
const labels: Readonly<Record<MapSystem, string>> = { 1: 'GCJ-02（高德、腾讯）', 2: 'BD-09（百度）', 3: 'WGS-84（GPS）' }
/** What one press of an arrow moves, in degrees: some ten metres, with Shift a hundred. */
const step = 0.0001
const wide = 10
const moves: Readonly<Record<string, readonly [east: number, north: number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }

/** 学校位置 of the form around it: pasted in any system, moved by arrows, shown in all three, opened in a map where one is set. There is no map here. */
export function MapPointField({ school_name, disabled }: { school_name: string; disabled: boolean }): ReactNode {
  const form = Form.useFormInstance<SchoolDetail>()
  const [lng, lat] = [degreesOf(Form.useWatch('home_lng', form), most_degrees.home_lng), degreesOf(Form.useWatch('home_lat', form), most_degrees.home_lat)]
  const { data: own } = useQuery({ queryKey: ['school-gps-type'], queryFn: async ({ signal }) => mapSystem((await call(schoolApi.config, { id: Number(readStored('school_id')) }, { signal, quiet: true })).gps_type) })
  const point = typeof lng === 'number' && typeof lat === 'number' ? { lng, lat } : null
  const put = (next: MapPoint) => form.setFieldsValue({ home_lng: sixDigits(next.lng), home_lat: sixDigits(next.lat) })
  const move = (event: KeyboardEvent) => {
    const [east, north] = moves[event.key] ?? [0, 0]
    if (!point || disabled || (east === 0 && north === 0)) return
    event.preventDefault()
    const by = step * (event.shiftKey ? wide : 1)
    put({ lng: point.lng + east * by, lat: point.lat + north * by })
  }
  if (own === undefined) return null
  const address = point && mapAddress(schoolPorts().mapAddress, point, own, school_name)
  return (
    <section className="record-wide record-map" aria-label="学校位置">
      <MapGrid point={point} label={point ? `学校位置 经度${point.lng} 纬度${point.lat}，方向键移动约10米，按住 Shift 移动约100米` : '学校位置 未填写'} onKeyDown={move} onPut={next => disabled || put(next)} />
      <div className="record-map-side">
        {!disabled && <Paste own={own} put={put} />}
        {point ? (
          <dl>{systems.map(system => <Told key={system} system={system} is_own={system === own} point={convertPoint(point, own, system)} />)}</dl>
        ) : (
          <p className="record-hint">{`填写上方的经度和纬度（${map_systems[own]}），或粘贴从地图上复制的坐标`}</p>
        )}
        {address && <a href={address} target="_blank" rel="noopener noreferrer">在地图中查看</a>}
      </div>
    </section>
  )
}

function Told({ system, is_own, point }: { system: MapSystem; is_own: boolean; point: MapPoint }): ReactNode {
  return (
    <div>
      <dt>{map_systems[system]}{is_own ? '（本校使用）' : ''}</dt>
      <dd className="kit-number">{`${point.lng}, ${point.lat}`}</dd>
    </div>
  )
}

/** A pair as a map gives it, in the system of that map. */
function Paste({ own, put }: { own: MapSystem; put: (point: MapPoint) => void }): ReactNode {
  const [text, setText] = useState('')
  const [system, setSystem] = useState<MapSystem>(own)
  const [wrong, setWrong] = useState(false)
  const take = () => {
    const point = readPoint(text)
    setWrong(point === null)
    if (!point) return
    put(convertPoint(point, system, own))
    setText('')
  }
  return (
    <div>
      <Space.Compact block>
        <Select aria-label="粘贴的坐标系" value={system} onChange={setSystem} options={systems.map(value => ({ value, label: labels[value] }))} />
        <Input
          aria-label="粘贴坐标" aria-invalid={wrong} aria-describedby="map-paste-wrong" status={wrong ? 'error' : ''} maxLength={60} placeholder="经度,纬度，如120.382639,36.067108"
          value={text} onChange={event => setText(event.target.value)}
          onPressEnter={event => {
            event.preventDefault()
            take()
          }}
        />
        <Button onClick={take}>换算并填入</Button>
      </Space.Compact>
      <p id="map-paste-wrong" className="record-map-wrong" role="alert">{wrong ? '坐标格式不正确，请按“经度,纬度”填写，经度在前' : ''}</p>
    </div>
  )
}
